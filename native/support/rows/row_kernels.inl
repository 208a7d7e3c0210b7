// row_kernels.inl: the source of the kernels over rows; the .cpp files beside it compile it, each for one instruction
// set, with LUDORUM_ROW_KERNELS defined.
#include "support/rows/row_kernels.h"
#include "support/splitmix64.h"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace ludorum {
namespace {

using u8 = std::uint8_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

#define LUDORUM_INLINE static inline __attribute__((always_inline))

#include "support/rows/transpose.inl"

#include "support/rows/unpack.inl"

#include "support/rows/pick.inl"

}  // namespace

extern const RowKernels LUDORUM_ROW_KERNELS = {transpose, unpack, pick, all_set, mark_empty, count};

}  // namespace ludorum
