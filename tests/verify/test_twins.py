"""What two matches side by side show is what going through all matches shows; refutations replay."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from brute_force import BruteForce
from secret_games import random_game, random_moment, roles_of

import ludorum
from ludorum.clock import Budget
from ludorum.errors import InvalidFormula
from ludorum.game import Game
from ludorum.verify import look_alike, parse, prove, resolve
from ludorum.verify.circuit_engine import CircuitEngine
from ludorum.verify.world import CircuitWorld


def decided(seed: int, count: int) -> Counter[str]:
    """How many formulas about a random game were decided by which engine, all as brute force says."""
    text = random_game(seed)
    game = ludorum.load(text)
    oracle, engine = BruteForce(game), CircuitEngine(CircuitWorld(game))
    methods: Counter[str] = Counter()
    for number in range(count):
        random = Random(1_000 * seed + number)
        formula = f"{random.choice(['AG', 'EF'])} {random_moment(random, roles_of(text))}"
        try:
            asked = resolve(formula, game)
        except InvalidFormula:
            continue
        found = engine.decide(asked, Budget(5))
        methods[found.method if found.is_known else "unknown"] += 1
        if found.is_known:
            assert (found.verdict == "proved") == oracle.holds(parse(formula)), f"{formula} by {found.method}"
        assert look_alike(game, found.matches)
    return methods


def test_copies_side_by_side_agree_with_brute_force() -> None:
    methods: Counter[str] = sum((decided(seed, 20) for seed in range(14)), Counter())
    # Every engine had its say.
    for word in ("random play", "induction on twins", "on 3 copies", "bounded search on twins", "and SAT"):
        assert any(word in method for method in methods), word


@pytest.fixture(scope="module")
def krieg() -> Game:
    return ludorum.load("kriegtictactoe")


def engine_says(game: Game, text: str) -> tuple[str, str]:
    found = CircuitEngine(CircuitWorld(game)).decide(resolve(text, game), Budget(60))
    assert look_alike(game, found.matches)
    return found.verdict, found.method


def test_a_player_of_krieg_tictactoe_knows_its_moves_but_not_the_end(krieg: Game) -> None:
    # More points than anybody could list: two players, 25 cells, nobody is told where the other is.
    assert engine_says(krieg, "knows_legal x") == ("proved", "induction on twins")
    assert engine_says(krieg, "knows_end x")[0] == "refuted"
    assert engine_says(krieg, "knows_goal o")[0] == "refuted"


def test_what_is_known_of_the_knowledge_of_others_takes_three_copies() -> None:
    generals = ludorum.load("twogenerals")
    assert engine_says(generals, "AG ((step 2) implies K a (K b (attack dawn) or not (attack dawn)))") \
        == ("refuted", "random play")
    # What a was ordered it knows, and b knows that it knows what it was ordered.
    assert engine_says(generals, "AG ((not (step 0)) implies K b (K a (attack dawn) or K a (attack dusk)))")[0] \
        == "proved"
    verdict, method = engine_says(generals, "AG ((step 1) implies K b knows_whether a (attack dawn))")
    assert (verdict, "3 copies" in method) == ("proved", True)


def test_a_witness_shows_that_somebody_can_come_to_know() -> None:
    generals = ludorum.load("twogenerals")
    assert engine_says(generals, "EF K b (attack dawn)") == ("proved", "bounded search and SAT")
    cryptographers = ludorum.load("diningcryptographers")
    assert engine_says(cryptographers, "EF D {c1 c2} (paid c3)") == ("proved", "bounded search and SAT")
    # That nobody ever comes to know no search can tell; all points can.
    assert engine_says(cryptographers, "EF K c1 (paid c2)")[0] == "unknown"
    assert prove(cryptographers, "EF K c1 (paid c2)")[0].verdict == "refuted"
