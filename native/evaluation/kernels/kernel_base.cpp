#define LUDORUM_EVALUATION kEvaluationBase
#define LUDORUM_INSTRUCTIONS "scalar"
#include "evaluation/kernels/kernel.inl"
