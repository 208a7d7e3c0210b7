"""From rules to join plans over relations, without grounding."""

from ludorum.relations.planning import JoinPlans, plan_joins

__all__ = ["JoinPlans", "plan_joins"]
