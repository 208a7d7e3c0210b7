"""Symmetries that only polynomials show, and games that look more symmetric than they are; all permutations tried."""

from __future__ import annotations

import random
from itertools import chain, combinations, pairwise, permutations, product
from math import factorial

import pytest

import ludorum
from ludorum import Game
from ludorum.analysis.symmetry import Symmetries, Symmetry, find_symmetries
from ludorum.analysis.symmetry.polynomials import Polynomials
from ludorum.analysis.symmetry.strata import Strata
from ludorum.analysis.symmetry.symmetry import identity
from ludorum.clock import Budget
from ludorum.ground import ground

# Far more than anything here needs, on however busy a machine.
LONG = 60.0


def coins(rules: str, names: str = "abcd") -> str:
    """Coins of which one is flipped at a time, and what they are worth."""
    return (f"(role hand) {' '.join(f'(coin {name})' for name in names)}"
            "(<= (legal hand (flip ?c)) (coin ?c))"
            "(<= (next (up ?c)) (true (up ?c)) (not (does hand (flip ?c))))"
            "(<= (next (up ?c)) (does hand (flip ?c)) (not (true (up ?c))))"
            "(<= terminal (distinct a a)) (<= (goal hand 100) good) (<= (goal hand 0) (not good))" + rules)


def adding(worth: dict[str, int], good: str) -> str:
    """Coins that are added up one after the other, and the sums that are good."""
    names, top = ["none", *worth], sum(worth.values())
    return ("(sum none 0)" + " ".join(f"(after {one} {other})" for one, other in pairwise(names))
            + " ".join(f"(plus {a} {b} {a + b})" for a in range(top + 1) for b in set(worth.values()))
            + " ".join(f"(worth {name} {value})" for name, value in worth.items())
            + "(<= (sum ?d ?n) (after ?c ?d) (sum ?c ?m) (worth ?d ?w) (plus ?m ?w ?n) (true (up ?d)))"
              "(<= (sum ?d ?n) (after ?c ?d) (sum ?c ?n) (not (true (up ?d))))"
            + f"(<= good (sum {names[-1]} ?n) ({good} ?n))")


def found(text: str) -> Symmetries:
    return find_symmetries(ludorum.load(text), budget=Budget(LONG))


def tried(game: Game, symmetries: Symmetries) -> set[Symmetry]:
    """Every symmetry of a game for one role that never ends, by looking at all states and moves."""
    words = symmetries.words
    assert words is not None
    fluents, (moves,) = words.fluents, words.moves
    states = list(chain.from_iterable(combinations(range(len(fluents)), size) for size in range(len(fluents) + 1)))
    goals, following = {}, {}
    for held in states:
        state = game.state([fluents[number] for number in held])
        goals[frozenset(held)] = state.goals
        for number, move in enumerate(moves):
            after = state.after({game.roles[0]: move})
            following[frozenset(held), number] = frozenset(fluents.index(fluent) for fluent in after.fluents)
    found: set[Symmetry] = set()
    for images in permutations(range(len(fluents))):
        image = {held: frozenset(images[number] for number in held) for held in goals}
        if all(goals[held] == goals[image[held]] for held in goals):
            found.update(Symmetry(images, (others,), (0,)) for others in permutations(range(len(moves))) if all(
                image[following[held, move]] == following[image[held], others[move]]
                for held, move in product(goals, range(len(moves)))))
    return found


def agree_with_all_tried(text: str) -> Symmetries:
    game = ludorum.load(text)
    symmetries = find_symmetries(game, budget=Budget(LONG))
    group = symmetries.group()
    assert group is not None
    assert set(group) == tried(game, symmetries)
    return symmetries


# ---- what sums hide ----

def test_the_board_of_othello_has_the_symmetries_of_a_square() -> None:
    symmetries = found("othello")
    assert symmetries.count == symmetries.in_play == 7
    # Two discs of each colour lie crosswise: half a turn and the reflections in both diagonals keep them.
    assert symmetries.best.keeping_initial == 3
    # Turned by a quarter the colours of the discs have changed places, and so may roles.
    assert symmetries.best.moving_roles == 8


def test_coins_that_are_added_up_one_after_the_other_are_alike() -> None:
    symmetries = agree_with_all_tried(coins(adding(dict.fromkeys("abcd", 1), "odd") + "(odd 1) (odd 3)"))
    assert symmetries.by_ground.count is not None
    assert symmetries.by_ground.count < symmetries.count == factorial(4) - 1


def test_a_coin_that_counts_twice_is_not_like_the_others() -> None:
    for heavy in "abcd":
        worth = dict.fromkeys("abcd", 1) | {heavy: 2}
        assert agree_with_all_tried(coins(adding(worth, "much") + "(much 4) (much 5)")).count == factorial(3) - 1


def test_where_the_order_matters_a_sum_is_not_symmetric() -> None:
    # The coins write a binary number. Good ones are a alone, with b, and with b and c: no two coins are alike.
    binary = adding({"a": 8, "b": 4, "c": 2, "d": 1}, "high")
    assert agree_with_all_tried(coins(binary + "(high 8) (high 12) (high 14)")).count == 0


def test_inputs_that_do_the_same_by_themselves_need_not_change_places() -> None:
    # Four coins in a ring: each has two neighbours, but opposite ones are not neighbours of each other.
    ring = "(beside a b) (beside b c) (beside c d) (beside d a) (<= good (true (up ?c)) (beside ?c ?d) (true (up ?d)))"
    assert agree_with_all_tried(coins(ring)).count == 7


@pytest.mark.parametrize("seed", range(12))
def test_of_random_games_only_what_all_states_confirm_is_found(seed: int) -> None:
    source = random.Random(seed)
    names = "abcd"

    def condition() -> str:
        literals = (f"(true (up {name}))" if source.random() < 0.6 else f"(not (true (up {name})))"
                    for name in source.sample(names, source.choice([1, 2, 2, 3])))
        return " ".join([*literals, *source.sample(["p", "(not p)", "q"], source.choice([0, 0, 1]))])

    rules = "".join(f"(<= {head} {condition()})" for head in ("good",) * source.choice([2, 3, 4]))
    rules += f"(<= p (true (up {source.choice(names)}))) (<= p (true (up {source.choice(names)})))"
    rules += f"(<= q (not (true (up {source.choice(names)}))) p) (<= q (true (up {source.choice(names)})))"
    game = ludorum.load(coins(rules))
    symmetries = find_symmetries(game, budget=Budget(LONG))
    assert set(symmetries.group() or ()) <= tried(game, symmetries)


def test_what_needs_itself_is_unrolled_as_far_as_it_can_lead() -> None:
    # A row of coins in which a path of coins that are up leads from one end to the other.
    path = ("(beside a b) (beside b a) (beside b c) (beside c b) (beside c d) (beside d c)"
            "(<= (reached a) (true (up a))) (<= (reached ?d) (reached ?c) (beside ?c ?d) (true (up ?d)))"
            "(<= good (reached d))")
    # All four have to be up, in whatever order they are reached.
    game = ludorum.load(coins(path))
    symmetries = find_symmetries(game, budget=Budget(LONG))
    assert set(symmetries.group() or ()) <= tried(game, symmetries)
    words = symmetries.words
    assert words is not None
    polynomials = Polynomials(Strata(ground(game.rules)))
    assert polynomials.proves(identity(words))


def test_products_of_a_high_degree_are_named_and_not_multiplied() -> None:
    # Each level has the degree of both of the last one together: 2^64 at the end.
    tower = ("(<= (left 0) (true (up a))) (<= (right 0) (true (up b)))" + " ".join(
        f"(<= (left {n + 1}) (left {n}) (right {n}))"
        f"(<= (right {n + 1}) (right {n}) (left {n}) (true (up {'cd'[n % 2]})))" for n in range(64))
        + "(<= good (left 64))")
    game = ludorum.load(coins(tower))
    symmetries = find_symmetries(game, budget=Budget(LONG))
    assert set(symmetries.group() or ()) <= tried(game, symmetries)


def test_only_what_carries_every_polynomial_to_its_image_is_proved() -> None:
    game = ludorum.load("tictactoe")
    symmetries = find_symmetries(game, budget=Budget(LONG))
    words, group = symmetries.words, symmetries.group()
    assert words is not None
    assert group is not None
    polynomials = Polynomials(Strata(ground(game.rules, split="never")))
    assert all(map(polynomials.proves, group))
    same = identity(words)
    for one, other in combinations(range(len(words.fluents)), 2):
        images = list(same.fluents)
        images[one], images[other] = other, one
        assert not polynomials.proves(Symmetry(tuple(images), same.moves, same.roles))
