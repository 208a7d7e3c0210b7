"""Matches of plans, for showing what they lead to."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ludorum.gdl.terms import Term
from ludorum.mechanism.accounts import Ledger
from ludorum.move import Move, Role
from ludorum.state import State

_History = tuple[tuple[Move, frozenset[Term]], ...]
# In which one chance is as good as another, and nobody needs more.
_LIKELY = 1e-9


def wasteful_match(ledger: Ledger, plans: list[NDArray[np.float64]]) -> tuple[tuple[tuple[Move, ...], ...], float]:
    """A match of these plans in which the most is lost that all could have gained together, and how much that is."""
    assert ledger.best is not None
    assert ledger.welfare is not None
    lost = np.where(ledger.chances(plans) > _LIKELY, ledger.best - ledger.welfare, 0.0)
    worst = int(lost.argmax())
    return match_of(ledger, ledger.sequences[worst].tolist()), float(lost[worst])


def match_of(ledger: Ledger, sequences: list[int]) -> tuple[tuple[Move, ...], ...]:
    """A match in which the players go by these sequences, whatever chance it takes."""
    tree = ledger.tree
    ways: dict[Role, tuple[dict[_History, Move], _History]] = {}
    for player, role in enumerate(tree.players):
        sets = tree.information_sets(role)
        owners = [None, *((known, move) for known in sets for move in known.moves)]
        found: dict[_History, Move] = {}
        longest: _History = ()
        number = sequences[player]
        parents = {first + place: parent for parent, first, count, _ in tree.core.sets(player).tolist()
                   for place in range(count)}
        while (owner := owners[number]) is not None:
            known, move = owner
            found[known.history] = move
            longest = max(longest, known.history, key=len)
            number = parents[number]
        ways[role] = found, longest
    made = _lead(tree.game.initial, ways, dict.fromkeys(tree.players, ()))
    assert made is not None, "an outcome has a match"
    return made


def _lead(state: State, ways: dict[Role, tuple[dict[_History, Move], _History]],
          known: dict[Role, _History]) -> tuple[tuple[Move, ...], ...] | None:
    """Moves to an end on which every player sees what it must have seen."""
    if state.is_terminal:
        return () if all(len(known[role]) >= len(longest) for role, (_, longest) in ways.items()) else None
    joint: dict[str, Move] = {}
    for role, (found, _) in ways.items():
        legal = state.legal(role)
        if len(legal) > 1 and known[role] not in found:
            return None
        joint[role] = found.get(known[role], legal[0])
    chances = [role for role in state.game.roles if role not in ways]
    for drawn in (state.legal(chances[0]) if chances else [None]):
        whole = dict(joint)
        if drawn is not None:
            whole[chances[0]] = drawn
        after = state.after(whole)
        seen = {role: (*known[role], (joint[role], after.percepts[role])) for role in ways}
        if all(seen[role][:len(longest)] == longest[:len(seen[role])] for role, (_, longest) in ways.items()):
            rest = _lead(after, ways, seen)
            if rest is not None:
                return (tuple(whole[role] for role in state.game.roles), *rest)
    return None
