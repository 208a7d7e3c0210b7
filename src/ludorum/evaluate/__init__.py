"""What states that are not over may be worth: from the rules to a program that the core runs on many states at once."""

from ludorum.evaluate.evaluation import StateEvaluation, evaluation
from ludorum.evaluate.settings import EvaluationSettings

__all__ = ["EvaluationSettings", "StateEvaluation", "evaluation"]
