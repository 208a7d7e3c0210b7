#define LUDORUM_COLUMNS 4
#define LUDORUM_KERNELS kKernels256Base
#include "circuit/kernels/kernels.inl"
