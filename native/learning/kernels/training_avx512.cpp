#define LUDORUM_TRAINING kTrainingAvx512
#define LUDORUM_INSTRUCTIONS "avx512"
#include "learning/kernels/training.inl"
