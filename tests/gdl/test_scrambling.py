"""The same game in other words."""

from __future__ import annotations

from itertools import zip_longest

import pytest
from gdl_corpus import SAMPLE, corpus_text
from gdl_strategies import rulesheets
from hypothesis import given
from hypothesis import strategies as st

from ludorum import gdl
from ludorum.gdl import Rulesheet

KEPT = {"role", "init", "true", "next", "legal", "does", "goal", "terminal", "distinct", "sees", "random",
        "base", "input", "not", "and", "or", "<="}


def renaming(old: Rulesheet, new: Rulesheet) -> dict[str, str]:
    """The one-to-one renaming between two sheets of the same structure; fails where there is none."""
    pairs: dict[str, str] = {}
    for old_word, new_word in zip_longest(words(old), words(new)):
        assert old_word is not None
        assert new_word is not None
        assert pairs.setdefault(old_word, new_word) == new_word
    assert len(set(pairs.values())) == len(pairs)
    return pairs


def words(sheet: Rulesheet) -> list[str]:
    return gdl.to_kif(sheet).replace("(", " ( ").replace(")", " ) ").split()


@given(rulesheets, st.integers())
def test_scrambling_is_a_renaming(rulesheet: Rulesheet, seed: int) -> None:
    pairs = renaming(rulesheet, gdl.scramble(rulesheet, seed))
    for old, new in pairs.items():
        is_number = old.removeprefix("-").isascii() and old.removeprefix("-").isdigit()
        assert (old == new) == (old in KEPT or is_number or old in "()")


@given(rulesheets, st.integers(), st.integers())
def test_no_trace_of_the_old_words_is_left(rulesheet: Rulesheet, first: int, second: int) -> None:
    assert gdl.scramble(gdl.scramble(rulesheet, first), second) == gdl.scramble(rulesheet, second)


def test_a_seed_gives_the_same_words_every_time_and_another_seed_others() -> None:
    sheet = gdl.read("(role white) (init (cell 1 1 blank)) (<= (legal ?r noop) (role ?r))")
    assert gdl.scramble(sheet, 1) == gdl.scramble(sheet, 1)
    assert gdl.scramble(sheet, 1) != gdl.scramble(sheet, 2)


def test_thousands_of_symbols_still_get_different_words() -> None:
    sheet = gdl.read("\n".join(f"(fact s{i})" for i in range(20_000)))
    assert len({rule.head.args[0] for rule in gdl.scramble(sheet, 3).rules}) == 20_000


def test_goals_and_chance_mean_the_same_afterwards() -> None:
    rules = gdl.read("(role random) (role white) (points 70) (<= (goal white ?v) (points ?v))")
    sheet = gdl.scramble(rules, 5)
    assert str(sheet.roles[0]) == "random"
    assert str(sheet.rules[2].head.args[0]) == "70"


@pytest.mark.parametrize("path", SAMPLE[:8])
def test_a_scrambled_game_gets_the_same_verdict(path: str) -> None:
    sheet = gdl.parse(corpus_text(path), path)
    found = gdl.check(gdl.scramble(sheet, 11))
    assert sorted(d.code for d in found) == sorted(d.code for d in sheet.diagnostics)
    assert len(gdl.scramble(sheet, 11).roles) == len(sheet.roles)
