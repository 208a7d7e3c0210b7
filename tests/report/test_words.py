"""Rules as sentences."""

from __future__ import annotations

import ludorum
from ludorum.analysis.structures import structures
from ludorum.clock import Budget
from ludorum.report.words import in_words


def sentences(game: str) -> dict[str, list[str]]:
    loaded = ludorum.load(game)
    return {chapter.title: [sentence for sentence, _ in chapter.sentences]
            for chapter in in_words(loaded.rules, structures(loaded))}


def test_what_is_known_of_fluents_is_in_the_sentences() -> None:
    told = sentences("tictactoe")
    assert told["Who plays"] == ["Xplayer plays; oplayer plays."]
    assert told["How it begins"] == ["At first cell (x, y) holds blank if index (x) and index (y).",
                                     "At first it is the turn of xplayer."]


def test_counting_is_told_as_counting() -> None:
    told = sentences("eightpuzzle")
    assert any("the step is" in sentence for sentence in told["What happens then"])
    assert any("comes right after" in sentence for chapter in told.values() for sentence in chapter)


def test_every_rule_is_in_a_sentence_or_among_facts_that_are_counted() -> None:
    loaded = ludorum.load("hanoi")
    told = in_words(loaded.rules, structures(loaded))
    ruled = [rule for rule in loaded.rules.rules if rule.body]
    assert sum(text.startswith("(<=") for chapter in told for _, text in chapter.sentences) == len(ruled)


def test_fluents_that_nobody_had_time_to_look_at_are_told_as_they_are_written() -> None:
    loaded = ludorum.load("tictactoe")
    told = in_words(loaded.rules, structures(loaded, Budget.within(0)))
    assert "At first control (xplayer)." in [sentence for chapter in told for sentence, _ in chapter.sentences]


def test_logic_is_said_in_words() -> None:
    rules = ludorum.parse("""
        (role r) (init (at a)) (legal r wait)
        (<= (next (at ?x)) (true (at ?x)) (not (true (gone ?x))) (distinct ?x b))
        (<= terminal (or (true (at b)) (not (distinct a c))))
        (<= (goal r 100) terminal) (<= (next (gone ?x)) (true (gone ?x)))
    """)
    (chapter,) = (chapter for chapter in in_words(rules) if chapter.title == "When it ends")
    assert chapter.sentences[0][0] == "The game is over if either at (b) or a is c."
    (happens,) = (chapter for chapter in in_words(rules) if chapter.title == "What happens then")
    assert happens.sentences[0][0] == "Next at (x) if at (x), not gone (x) and x is not b."


def test_what_is_denied_is_said_as_people_say_it() -> None:
    told = sentences("connectfour")
    assert "Player may play noop if player plays and it is not the turn of player." in told["What may be done"]
    assert told["When it ends"] == ["The game is over if decided.", "The game is over if not open."]
    assert "Next cell (x, y) holds content if cell (x, y) holds content and not filled (x, y)." \
        in told["What happens then"]
    rules = ludorum.parse("""
        (role r) (init p) (<= (legal r wait) (not (true p))) (<= (next p) (not (or (true p) (true q))))
        (<= (next q) (not (not (true q))) (not (does r wait))) (<= terminal (true q)) (<= (goal r 0) (not terminal))
    """)
    assert [sentence for chapter in in_words(rules) for sentence, _ in chapter.sentences] == [
        "R plays.", "At first p holds.", "R may play wait if p does not hold.",
        "Next p holds if it is not so that either p holds or q holds.",
        "Next q holds if q holds and r does not play wait.",
        "The game is over if q holds.", "It is worth 0 to r if the game is not over."]
