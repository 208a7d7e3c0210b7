"""Small games of Toss at random: structures, rules that keep, add, copy and delete, formulas, payoffs that count."""

from __future__ import annotations

import random
from collections.abc import Sequence

_RELATIONS = {"P": 1, "Q": 1, "E": 2, "F": 0}


def random_formula(dice: random.Random, names: Sequence[str], depth: int, *, relations: Sequence[str]) -> str:
    """A formula about these names, with quantifiers nested so deep at most."""
    kind = dice.randrange(7 if depth else 3)
    if kind <= 1 or (kind == 2 and not names):
        usable = [name for name in relations if not _arity(name) or names]
        relation = dice.choice(usable)
        args = ", ".join(dice.choice(names) for _ in range(_arity(relation)))
        return f"{relation}({args})"
    if kind == 2:
        return f"{dice.choice(names)} = {dice.choice(names)}"
    if kind in (3, 4):
        variable = f"v{depth}"
        inner = random_formula(dice, [*names, variable], depth - 1, relations=relations)
        return f"{'ex' if kind == 3 else 'all'} {variable} ({inner})"
    one, other = (random_formula(dice, names, depth - 1, relations=relations) for _ in range(2))
    return f"not ({one})" if kind == 5 else f"(({one}) {dice.choice(['and', 'or'])} ({other}))"


def _arity(relation: str) -> int:
    return {**_RELATIONS, "D": 1, "Reach": 2}[relation]


def _facts(dice: random.Random, elements: Sequence[str], most: int) -> list[str]:
    found = set()
    for _ in range(dice.randrange(most + 1)):
        relation = dice.choice([name for name, arity in _RELATIONS.items() if elements or not arity])
        found.add(f"{relation}({', '.join(dice.choice(elements) for _ in range(_RELATIONS[relation]))})")
    return sorted(found)


def _rule(dice: random.Random, name: str, *, may_change_elements: bool) -> str:
    left = ["a", "b"][: dice.randrange(3)]
    right, extra = list(left), ""
    if may_change_elements and dice.random() < 0.6:
        kind = dice.choice(["add", "copy", "delete"])
        if kind == "add":
            right.append("n")
        elif kind == "copy" and left:
            right.append("n")
            extra = f" with [n <- {dice.choice(left)}]"
        elif kind == "delete" and left:
            right.pop(dice.randrange(len(right)))
    before = _facts(dice, left, 2)
    optional = [f"_opt_{fact}" for fact in _facts(dice, left, 1) if fact not in before]
    embedded = dice.sample(sorted(_RELATIONS), dice.randrange(3))
    text = (f"RULE {name}: [{', '.join(left)} | {'; '.join([*before, *optional])} | ] -> "
            f"[{', '.join(right)} | {'; '.join(_facts(dice, right, 3))} | ]")
    text += f" emb {', '.join(embedded)}" if embedded else ""
    text += extra
    relations = [*_RELATIONS, "D", "Reach"]
    if dice.random() < 0.6:
        text += f" pre {random_formula(dice, left, 3, relations=relations)}"
    if dice.random() < 0.3:
        text += f" post {random_formula(dice, right, 2, relations=relations)}"
    return text


def random_game(seed: int) -> str:
    """A game with two players, three locations and up to three elements at the start."""
    dice = random.Random(seed)
    may_change_elements = dice.random() < 0.4
    elements = ["u", "v", "w"][: dice.randrange(1, 4)]
    names = ["One", "Two", "Three"]
    lines = ["PLAYERS left, right",
             f"REL D(x) = {random_formula(dice, ['x'], 2, relations=list(_RELATIONS))}",
             "REL Reach(x, y) = E(x, y) or ex z (Reach(x, z) and E(z, y) and not P(z))"]
    lines += [_rule(dice, name, may_change_elements=may_change_elements) for name in names]
    for location in range(3):
        edges = [f"[{dice.choice(names)} -> {dice.randrange(3)}]" for _ in range(dice.randrange(1, 4))]
        payoffs = "; ".join(f"{player}: {_payoff(dice, counting=not may_change_elements)}"
                            for player in ("left", "right"))
        lines.append(f"LOC {location} {{ PLAYER {dice.choice(['left', 'right'])} PAYOFF {{ {payoffs} }} "
                     f"MOVES {'; '.join(dict.fromkeys(edges))} }}")
    declared = [f"{name}:{arity} {{}}" for name, arity in _RELATIONS.items()]
    lines.append(f"MODEL [{', '.join(elements)} | {'; '.join([*declared, *_facts(dice, elements, 4)])} | ]")
    return "\n".join(lines) + "\n"


def _payoff(dice: random.Random, *, counting: bool) -> str:
    relations = [*_RELATIONS, "D"]
    closed = random_formula(dice, [], 2, relations=relations)
    kind = dice.randrange(4 if counting else 2)
    if kind == 0:
        return str(dice.randrange(3))
    if kind == 1:
        return f":({closed}) - :({random_formula(dice, [], 2, relations=relations)}) / 2"
    inner = random_formula(dice, ["x"], 1, relations=relations)
    if kind == 2:
        return f"Sum (x | {inner} : 1) - :({closed})"
    return f":(Sum (x | {inner} : 1) < Sum (x, y | E(x, y) : 1 + :(P(x))))"
