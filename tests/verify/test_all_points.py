"""What fixpoints over all points say is what going through all matches, word by word, says."""

from __future__ import annotations

import pytest
from brute_force import BruteForce
from secret_games import random_formula, random_game, roles_of

import ludorum
from ludorum.clock import Budget
from ludorum.errors import InvalidFormula
from ludorum.verify import look_alike, parse, resolve
from ludorum.verify.proving import FormulaProof, Verifier, prove


@pytest.mark.parametrize("seed", range(24))
def test_all_points_agree_with_brute_force(seed: int) -> None:
    text = random_game(seed)
    game = ludorum.load(text)
    oracle, verifier = BruteForce(game), Verifier(game)
    for number in range(20):
        formula = random_formula(1_000 * seed + number, roles_of(text), surely=True)
        try:
            asked = resolve(formula, game)
        except InvalidFormula:
            # It speaks of a fluent that the rules never make true.
            continue
        found = verifier.exactly(asked, Budget(20), 100_000)
        assert found.verdict == ("proved" if oracle.holds(parse(formula)) else "refuted"), formula
        assert look_alike(game, found.matches)


#: A light that goes on and off for ever; the watcher is told only when it is switched, not what it was at first.
LAMP = """
(role watcher) (role random)
(init start)
(<= (legal random ?m) (true start) (first ?m))
(<= (legal random ?m) (not (true start)) (later ?m))
(legal watcher look)
(first on) (first off) (later switch) (later wait)
(<= (next lit) (does random on))
(<= (next lit) (true lit) (does random wait))
(<= (next lit) (not (true lit)) (does random switch) (not (true start)))
(<= (next shown) (true shown))
(<= (next shown) (does random switch) (true lit))
(<= (sees watcher click) (does random switch))
(<= (sees watcher dark) (does random switch) (true lit))
(<= terminal (true never))
(goal watcher 0) (goal random 0)
"""


@pytest.mark.parametrize(("formula", "holds"), [
    # Matches do not end, yet beliefs come back: they are {on, off}, {on} or {off}.
    ("AF terminal", False),
    ("AG not knows_whether watcher lit", False),
    ("AX not knows_whether watcher lit", True),
    ("AG (knows_whether watcher lit implies AG knows_whether watcher lit)", False),
    ("AX AG (knows_whether watcher lit implies AG knows_whether watcher lit)", True),
    ("AX AX ((did random switch) implies knows_whether watcher lit)", True),
    ("AG EF K watcher lit", True),
    ("AX A[G F (did random switch) implies F knows_whether watcher lit]", True),
    ("AX A[F G (did random wait) implies F knows_whether watcher lit]", False),
    ("EX EG not knows_whether watcher lit", True),
])
def test_knowledge_in_a_game_that_never_ends(formula: str, holds: bool) -> None:
    (proof,) = prove(ludorum.load(LAMP), formula)
    assert proof.verdict == ("proved" if holds else "refuted")


@pytest.mark.parametrize(("game", "formula", "holds"), [
    ("tictactoe", "AG (terminal or EF terminal)", True),
    ("tictactoe", "EF ((line x) or (goal xplayer 100))", None),
    ("tictactoe", "AF terminal", True),
    ("tictactoe", "AG ((control xplayer) or (control oplayer))", True),
    ("tictactoe", "AG EF (goal xplayer 100)", False),
    ("tictactoe", "A[(cell 2 2 blank) U ((cell 2 2 x) or (cell 2 2 o) or terminal)]", True),
    ("tictactoe", "AG K xplayer (cell 2 2 blank) or EF (cell 2 2 x)", True),
    ("nim", "AF terminal", True),
    ("wolfgoatcabbage", "EF terminal", True),
])
def test_games_without_secrets_have_formulas_of_time(game: str, formula: str, holds: bool | None) -> None:
    if holds is None:
        with pytest.raises(InvalidFormula):
            prove(ludorum.load(game), formula)
    else:
        (proof,) = prove(ludorum.load(game), formula)
        assert proof.verdict == ("proved" if holds else "refuted")


def test_matches_show_what_a_role_does_not_know() -> None:
    game = ludorum.load("montyhall")
    (proof,) = prove(game, "knows_goal candidate")
    assert isinstance(proof, FormulaProof)
    assert proof.verdict == "refuted"
    one, other = proof.matches
    assert (other.roles, other.like) == (("candidate",), 0)
    ends = [game.replay(match.moves) for match in (one, other)]
    assert {end.goals["candidate"] for end in ends} == {0, 100}
    assert look_alike(game, proof.matches)
