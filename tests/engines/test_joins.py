"""What is worked out once and kept, of rules that join what never changes with what does, loses nothing."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from joins import joins
from test_relations import described

import ludorum
from ludorum import State
from towers import hanoi

# One role and several, turn-taking and simultaneous, with as many steps as are a matter of moments.
LIBRARY = {"asteroids": 6, "blocksworld": 4, "chomp": 3, "eightpuzzle": 8, "hanoi": 8, "hexapawn": 5, "lightsout": 2,
           "maze": 5, "missionaries": 8, "nim": 4, "pancakes": 4, "passage": 3, "pegsolitaire": 4,
           "smallconnectfour": 4, "smallknightstour": 6, "tictactoe": 5, "wolfgoatcabbage": 8}


def reachable(start: State) -> set[str]:
    """All states there are, in a game of one role."""
    seen, found = {str(start)}, [start]
    for state in found:
        for move in () if state.is_terminal else state.legal(*state.game.roles):
            after = state.after([move])
            if str(after) not in seen:
                seen.add(str(after))
                found.append(after)
    return seen


@pytest.mark.parametrize("disks", [2, 3, 4, 5])
def test_every_disk_of_hanoi_comes_to_every_peg(disks: int) -> None:
    # Disks lie on a peg in one order only, so that a state is a peg for each.
    assert len(reachable(ludorum.load(hanoi(disks), engine="relations").initial)) == 3**disks


@pytest.mark.parametrize("name", LIBRARY)
def test_sequences_of_moves_are_those_of_the_circuit(name: str) -> None:
    depth = LIBRARY[name]
    counted, expected = (ludorum.load(name, engine=engine).perft(depth) for engine in ("relations", "circuit"))
    assert counted == expected


@given(rules=joins(), seed=st.integers(0, 2**32))
@settings(max_examples=4)
def test_random_joins_are_those_of_the_circuit(rules: str, seed: int) -> None:
    states = [ludorum.load(rules, engine=engine).initial for engine in ("circuit", "relations")]
    random = Random(seed)
    for _ in range(40):
        expected, found = map(described, states)
        assert found == expected
        # Moves that the random rules allow change nothing.
        moves = [move for move in states[0].legal("robot") if move.term.name == "flip"]
        move = random.choice(moves)
        states = [state.after([move]) for state in states]
