#define LUDORUM_COLUMNS 4
#define LUDORUM_KERNELS kKernels256Avx2
#include "circuit/kernels/kernels.inl"
