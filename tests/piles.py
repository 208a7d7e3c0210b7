"""Two piles of stones: a game that is two games, with several ways to end it and to win it."""

from __future__ import annotations

import ludorum
from ludorum import Game

# A pile of stones for each hand. While one takes from the left pile the other takes from the right one, and the other
# way round the next time. Whoever takes the last stone of a pile has it.
PILES = """
(role ann) (role bob) (side left) (side right) (other ann bob) (other bob ann) (beside left right) (beside right left)
(init (pile left {left})) (init (pile right {right})) (init (hand left ann)) (init (hand right bob))
(<= (next (hand ?s ?r)) (true (hand ?s ?o)) (other ?o ?r))
(less 1 1 0) (less 2 1 1) (less 2 2 0) (less 3 1 2) (less 3 2 1) (less 4 1 3) (less 4 2 2) (less 5 1 4) (less 5 2 3)
(<= (legal ?r (take ?k)) (true (hand ?s ?r)) (true (pile ?s ?n)) (less ?n ?k ?m))
(<= (legal ?r wait) (true (hand ?s ?r)) (true (pile ?s 0)))
(<= (takes ?r ?s ?k) (does ?r (take ?k)) (true (hand ?s ?r)))
(<= (next (pile ?s ?m)) (takes ?r ?s ?k) (true (pile ?s ?n)) (less ?n ?k ?m))
(<= (next (pile ?s 0)) (true (pile ?s 0)))
(<= (next (has ?r ?s)) (takes ?r ?s ?k) (true (pile ?s ?k)))
(<= (next (has ?r ?s)) (true (has ?r ?s)))
"""
WITH_THE_LAST = "(<= terminal (true (pile left 0)) (true (pile right 0)))"
WITH_THE_FIRST = "(<= terminal (true (pile ?s 0)))"
SUM = """
(<= (goal ?r 100) (true (has ?r left)) (true (has ?r right)))
(<= (goal ?r 60) (true (has ?r left)) (role ?r) (not (true (has ?r right))))
(<= (goal ?r 40) (true (has ?r right)) (role ?r) (not (true (has ?r left))))
(<= (goal ?r 0) (role ?r) (not (true (has ?r left))) (not (true (has ?r right))))
"""
EITHER = """
(<= (goal ?r 100) (true (has ?r ?s)))
(<= (goal ?r 0) (role ?r) (not (true (has ?r left))) (not (true (has ?r right))))
"""
# Ann wants to have both or none, Bob one of each: what is good on one side depends on the other.
ALIKE = """
(<= alike (true (has ?r left)) (true (has ?r right)))
(<= (goal ann 100) alike) (<= (goal ann 0) (not alike)) (<= (goal bob 100) (not alike)) (<= (goal bob 0) alike)
"""


def piles(end: str, goals: str, left: int = 4, right: int = 5) -> Game:
    return ludorum.load(PILES.format(left=left, right=right) + end + goals)
