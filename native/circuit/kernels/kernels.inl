// kernels.inl: the source of the kernels; the .cpp files beside it compile it,
// each for one width and one instruction set, with LUDORUM_COLUMNS and
// LUDORUM_KERNELS defined.
#include "circuit/kernels/kernels.h"
#include "support/splitmix64.h"

#if defined(__AVX__)
#include <immintrin.h>
#endif

namespace ludorum::circuit {
namespace {

#include "circuit/kernels/word.inl"

#include "circuit/kernels/evaluate.inl"

#include "circuit/kernels/random.inl"

#include "circuit/kernels/choose.inl"

#include "circuit/kernels/play.inl"

#include "circuit/kernels/prefer.inl"

#include "circuit/kernels/leaves.inl"

}  // namespace

extern const Kernels LUDORUM_KERNELS = {kColumns, evaluate, transfer, play, seed, play_leaves};

}  // namespace ludorum::circuit
