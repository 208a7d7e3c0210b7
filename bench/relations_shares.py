"""Where the steps of the relations engine go, relation by relation, and what taking some of them over could win.

    python bench/relations_shares.py GAME… [--ground 60]

For every game: the share of all steps in random play that each relation takes by itself, the largest first. With
`--ground`, grounding is tried for so many seconds, and what has at least a tenth of the ground rules by then counts as
what does not ground. The other relations are of two kinds: those that it asks, of which a circuit would have to work
out every atom in every state and hand them over, where now only those are worked out that are asked for; and those that
it does not need. For each kind it is told how much faster play would be at most if a circuit took it over at no cost at
all (Amdahl's law): an upper bound for an engine that mixes the two.
"""

from __future__ import annotations

import argparse

from ludorum import gdl
from ludorum.errors import TooLargeToGround
from ludorum.gdl.clauses import flatten
from ludorum.gdl.dependencies import dependencies
from ludorum.gdl.graph import closure
from ludorum.ground import ground
from ludorum.loading import find
from ludorum.relations import plan_joins


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="+")
    parser.add_argument("--ground", type=float, default=0, help="seconds for trying to ground the rules")
    arguments = parser.parse_args()
    for name in arguments.games:
        source = find(name)
        rules = gdl.parse(source.text, source.name)
        print(f"{name}:")
        shares = shares_of_steps(rules)
        for relation, share in sorted(shares.items(), key=lambda item: -item[1])[:8]:
            print(f"  {share:6.1%}  {relation}")
        if arguments.ground:
            report(rules, shares, does_not_ground(rules, arguments.ground))


def report(rules: gdl.Rulesheet, shares: dict[str, float], large: list[str]) -> None:
    """What the relations that do not ground take, what those that they ask, and what all others."""
    if not large:
        print("  which relations do not ground is not known", flush=True)
        return
    depends = dependencies(flatten(rules))
    asked = {name for name, _ in closure([relation for relation in depends if relation[0] in large], depends)}
    own = sum(shares.get(relation, 0) for relation in large)
    below = sum(share for relation, share in shares.items() if relation in asked and relation not in large)
    apart = sum(share for relation, share in shares.items() if relation not in asked)
    print(f"  do not ground: {', '.join(large)}, {own:.1%} of the steps\n"
          f"  what these ask: {below:.1%}; without it at most {_faster(below)}\n"
          f"  what they do not need: {apart:.1%}; without it at most {_faster(apart)}\n"
          f"  without both at most {_faster(below + apart)}", flush=True)


def _faster(share: float) -> str:
    return f"{1 / (1 - share):.2f} times as fast" if share < 1 else "any number of times as fast"


def shares_of_steps(rules: gdl.Rulesheet) -> dict[str, float]:
    plans = plan_joins(rules)
    sample = plans.simulator.sample(600, 20_000_000, 2, 1)
    steps: dict[str, float] = {}
    for procedure, own in zip(plans.program.procedures, sample["own"], strict=True):
        relation = procedure.name.strip("()").split(" ")[0]
        steps[relation] = steps.get(relation, 0) + own
    total = sum(steps.values()) or 1
    return {relation: own / total for relation, own in steps.items()}


def does_not_ground(rules: gdl.Rulesheet, seconds: float) -> list[str]:
    """The relations with at least a tenth of the ground rules when the time was over; none if that is not known."""
    try:
        ground(rules, seconds=seconds)
    except TooLargeToGround as error:
        total = sum(error.sizes.values())
        return [relation.rpartition("/")[0] for relation, count in error.sizes.items() if count >= total / 10]
    return []


if __name__ == "__main__":
    main()
