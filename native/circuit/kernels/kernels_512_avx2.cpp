#define LUDORUM_COLUMNS 8
#define LUDORUM_KERNELS kKernels512Avx2
#include "circuit/kernels/kernels.inl"
