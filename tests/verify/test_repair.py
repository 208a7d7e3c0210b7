"""The rules that mend what a role does not know are as few as can be: no smaller set does."""

from __future__ import annotations

from itertools import combinations

import pytest

import ludorum
from ludorum.belief import Belief
from ludorum.clock import Budget
from ludorum.verify import known_now, prove_knowledge, resolve, smallest_repair
from ludorum.verify.proving import Verifier
from ludorum.verify.repair import candidates, told_more

#: Two coins are hidden one after the other; the guesser is paid by both and told nothing.
COINS = """
(role guesser) (role random) (role friend)
(side heads) (side tails)
(init (step 0))
(<= (legal random (first ?s)) (side ?s) (true (step 0)))
(<= (legal friend (second ?s)) (side ?s) (true (step 0)))
(<= (legal guesser wait) (true (step ?n)))
(<= (legal random wait) (true (step 1)))
(<= (legal friend wait) (true (step 1)))
(<= (next (one ?s)) (does random (first ?s)))
(<= (next (two ?s)) (does friend (second ?s)))
(<= (next (one ?s)) (true (one ?s)))
(<= (next (two ?s)) (true (two ?s)))
(<= (next (step 1)) (true (step 0)))
(<= (next (step 2)) (true (step 1)))
(<= terminal (true (step 2)))
(<= (goal guesser 100) (true (one heads)) (true (two heads)))
(<= (goal guesser 50) (true (one tails)) (true (two heads)))
(<= (goal guesser 30) (true (one heads)) (true (two tails)))
(<= (goal guesser 0) (true (one tails)) (true (two tails)))
(<= (goal guesser 0) (true (step 0)))
(goal random 0) (goal friend 0)
(<= (sees friend nothing) (true (step 9)))
"""


@pytest.mark.parametrize(("game", "role", "size"), [
    # One percept would tell Monty Hall's candidate where the car is; two coins take two.
    ("montyhall", "candidate", 1), (COINS, "guesser", 2), ("transit", "patrol", 1), ("meier", "anna", 1)])
def test_a_repair_is_the_smallest(game: str, role: str, size: int) -> None:
    loaded = ludorum.load(game)
    lacking = [proof.property for proof in prove_knowledge(loaded)
               if proof.verdict == "refuted" and proof.property.endswith(f" {role}")]
    assert lacking
    repair = smallest_repair(loaded, role, lacking)
    assert repair.rules is not None
    assert len(repair.rules) == size

    def suffices(rules: tuple[object, ...]) -> bool:
        verifier = Verifier(told_more(loaded, rules))  # type: ignore[arg-type]
        return all(verifier.proof(text, resolve(text, loaded), Budget(20)).verdict == "proved" for text in lacking)

    assert suffices(repair.rules)
    assert not any(suffices(some) for fewer in range(size) for some in combinations(candidates(loaded, role), fewer))


def test_the_rules_of_a_repair_mend_the_rulesheet() -> None:
    rules = smallest_repair(ludorum.load(COINS), "guesser", ["knows_goal guesser"]).rules or ()
    mended = ludorum.load(COINS + "\n".join(map(str, rules)))
    verdicts = {proof.property: proof.verdict for proof in prove_knowledge(mended)}
    assert verdicts["knows_goal guesser"] == "proved"


@pytest.mark.parametrize(("formula", "answer"), [
    ("(car 3)", "not so"),
    ("(car 1)", "not known"),
    ("(car 1) or (car 2)", "so"),
    ("(chosen 1)", "so"),
    ("K candidate (car 1)", "not so"),
    ("(did candidate noop)", "so"),
    ("K random (car 1)", "not known"),
    ("knows_whether random (car 1)", "so"),
    ("AF terminal", "so"),
    ("EX (goal candidate 100)", "so"),
    ("AX (goal candidate 100)", "not so"),
    ("AX ((did candidate stay) implies (goal candidate 100))", "not known"),
])
def test_a_role_knows_now_what_follows_from_what_it_was_told(formula: str, answer: str) -> None:
    game = ludorum.load("montyhall")
    belief = Belief(game, "candidate")
    for move, percepts in (("noop", []), ("(choose 1)", []), ("noop", ["(opened 3)"])):
        belief.perceived(move, percepts)
    assert known_now(game, "candidate", belief, formula) == answer
