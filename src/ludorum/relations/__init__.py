"""From rules to join plans over relations, without grounding."""

from ludorum.relations.fitting import Fitted, fit

__all__ = ["Fitted", "fit"]
