#include "support/rows/row_kernels.h"

namespace ludorum {

RowKernelChoices available_row_kernels() {
    RowKernelChoices found{{&kRowKernelsBase}, 1};
#if defined(LUDORUM_X86)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2")) {
        found.kernels[found.count++] = &kRowKernelsAvx2;
        if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw")
            && __builtin_cpu_supports("avx512dq"))
            found.kernels[found.count++] = &kRowKernelsAvx512;
    }
#endif
    return found;
}

const RowKernels& row_kernels() {
    static const RowKernels& best = [] () -> const RowKernels& {
        const RowKernelChoices found = available_row_kernels();
        return *found.kernels[found.count - 1];
    }();
    return best;
}

}  // namespace ludorum
