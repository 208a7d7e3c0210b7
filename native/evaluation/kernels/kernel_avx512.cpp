#define LUDORUM_EVALUATION kEvaluationAvx512
#define LUDORUM_INSTRUCTIONS "avx512"
#include "evaluation/kernels/kernel.inl"
