#define LUDORUM_EVALUATION kEvaluationAvx2
#define LUDORUM_INSTRUCTIONS "avx2"
#include "evaluation/kernels/kernel.inl"
