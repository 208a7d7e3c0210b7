#define LUDORUM_COLUMNS 8
#define LUDORUM_KERNELS kKernels512Base
#include "circuit/kernels/kernels.inl"
