"""The puzzles of knowledge have the answers that their authors gave; where none is cited, arithmetic by hand."""

from __future__ import annotations

import pytest

import ludorum
from collection import CORPUS, MISSING
from ludorum.clock import Budget
from ludorum.verify import look_alike, prove
from ludorum.verify.proving import FormulaProof

FORMULAS = {
    "muddychildren": [
        ("AG ((round 1) implies knows_whether c1 (muddy c1))", False),
        # With three children the third round settles everything, as m rounds settle m muddy children.
        ("AG ((round 3) implies knows_whether c1 (muddy c1))", True),
        ("AG ((round 2) implies knows_whether c1 (muddy c1))", False),
        ("AG ((legal c1 (say yes)) implies knows_whether c1 (muddy c1))", True),
        ("AG ((legal c1 (say no)) implies not knows_whether c1 (muddy c1))", True),
        # What the father said is common knowledge, and no child could have said it with two muddy ones.
        ("AG ((round 1) implies C {c1 c2 c3} ((muddy c1) or (muddy c2) or (muddy c3)))", True),
        ("AG ((round 1) implies D {c1 c2} (knows_whether c3 (muddy c1)))", True),
        ("EF ((round 1) and K c1 (muddy c1))", True),
        ("AG ((round 4) implies C {c1 c2 c3} knows_whether c2 (muddy c2))", True),
    ],
    "muddychildren4": [
        ("AG ((round 3) implies knows_whether c1 (muddy c1))", False),
        ("AG ((round 4) implies knows_whether c1 (muddy c1))", True),
    ],
    "twogenerals": [
        ("EF K b (attack dawn)", True),
        ("EF K a K b (attack dawn)", True),
        ("EF K b K a K b (attack dawn)", True),
        # Five messages make five layers of knowledge, and not a sixth; common knowledge takes all of them.
        ("EF K b K a K b K a K b (attack dawn)", True),
        ("EF K a K b K a K b K a K b (attack dawn)", False),
        ("EF C {a b} (attack dawn)", False),
        ("AG D {a b} ((step 0) or K a (attack dawn) or K a (attack dusk))", True),
        ("surely a (K b (attack dawn)) within 6", False),
    ],
    "diningcryptographers": [
        ("AG (terminal implies knows_whether c1 (paid nsa))", True),
        ("AG (terminal implies C {c1 c2 c3} knows_whether c2 (paid nsa))", True),
        ("AG ((not (paid c1)) implies not K c1 (paid c2))", True),
        # Two of them together know everything of the third.
        ("AG (terminal implies (D {c1 c2} (paid c3) or D {c1 c2} not (paid c3)))", True),
        ("AG ((step 1) implies knows_whether c1 (paid nsa))", False),
        ("EF ((paid c2) and not (paid c1) and K c1 (paid c2))", False),
    ],
    "russiancards": [
        ("AG (((step 2) and (said five)) implies all ?c knows_whether bob (has alice ?c))", True),
        ("AG ((said five) implies all ?c (not K cath (has alice ?c) and not K cath (has bob ?c)))", True),
        ("AG (((step 2) and (said five)) implies C {alice bob cath} all ?c knows_whether bob (has alice ?c))", True),
        ("AG (((step 3) and (said five)) implies all ?c knows_whether alice (has bob ?c))", True),
        ("AG ((said two) implies all ?c not K cath (has alice ?c))", False),
        ("EF ((step 1) and K bob (has alice 0))", False),
    ],
    "montyhall": [
        ("AG ((phase decide) implies not K candidate (car 1))", True),
        ("AG ((phase decide) implies (K candidate (car 1) or K candidate (car 2) or K candidate (car 3)))", False),
        ("AG ((phase decide) implies K candidate not ((car 1) and (car 2)))", True),
        ("surely candidate (terminal and (goal candidate 100)) within 4", False),
        # The goal is what it would be if it were over: before the door is opened, or by switching afterwards.
        ("surely candidate (goal candidate 100) within 4", True),
        ("surely candidate terminal within 4", True),
        ("surely candidate terminal within 3", False),
    ],
    "explodingbomb": [
        ("AG (((round 2) and asked) implies (K agent (armed red) or K agent (armed blue)))", True),
        ("AG (((round 2) and not asked) implies knows_whether agent (armed red))", False),
        ("surely agent (terminal and (goal agent 90)) within 3", True),
        ("surely agent (terminal and (goal agent 100)) within 3", False),
    ],
}


@pytest.mark.parametrize(("game", "formula", "holds"),
                         [(game, formula, holds) for game, asked in FORMULAS.items() for formula, holds in asked])
def test_puzzles_have_their_answers(game: str, formula: str, holds: bool) -> None:
    loaded = ludorum.load(game)
    (proof,) = prove(loaded, formula, budget=Budget(5))
    assert isinstance(proof, FormulaProof)
    assert proof.verdict == ("proved" if holds else "refuted")
    assert look_alike(loaded, proof.matches)


@pytest.mark.parametrize(("game", "role", "known"), [
    # Knows the end, its legal moves, its goal.
    ("montyhall", "candidate", (True, True, False)),
    ("kuhnpoker", "anna", (True, True, True)),
])
def test_roles_know_what_the_rules_tell_them(game: str, role: str, known: tuple[bool, ...]) -> None:
    asked = [f"{word} {role}" for word in ("knows_end", "knows_legal", "knows_goal")]
    proofs = prove(ludorum.load(game), *asked, budget=Budget(30))
    assert [proof.verdict for proof in proofs] == ["proved" if holds else "refuted" for holds in known]


@pytest.mark.corpus
@pytest.mark.parametrize(("sheet", "role", "known"), [
    ("montyhall", "candidate", (True, True, True)),
    ("transit", "transit", (True, True, True)),
    ("transit", "patrol", (True, True, True)),
    ("meier", "p1", (True, True, False)),
])
def test_roles_of_dresdens_games_know_what_two_prototypes_said(sheet: str, role: str, known: tuple[bool, ...]) -> None:
    path = CORPUS / "games" / "gdl2" / f"{sheet}.kif"
    if not path.is_file():
        pytest.skip(MISSING)
    test_roles_know_what_the_rules_tell_them(str(path), role, known)
