#include "support/transpose.h"

#include "support/rows/row_kernels.h"

namespace ludorum {

void transpose(std::uint64_t rows[64]) noexcept { row_kernels().transpose(rows); }

}  // namespace ludorum
