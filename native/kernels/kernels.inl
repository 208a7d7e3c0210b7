// kernels.inl: the source of the kernels; the .cpp files beside it compile it,
// each for one width and one instruction set, with LUDORUM_COLUMNS and
// LUDORUM_KERNELS defined.
#include "kernels.h"

#if defined(__AVX__)
#include <immintrin.h>
#endif

namespace ludorum {
namespace {

#include "word.inl"

#include "evaluate.inl"

#include "random.inl"

#include "choose.inl"

#include "play.inl"

#include "prefer.inl"

#include "leaves.inl"

}  // namespace

extern const Kernels LUDORUM_KERNELS = {kColumns, evaluate, transfer, play, seed, play_leaves};

}  // namespace ludorum
