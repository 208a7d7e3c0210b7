"""The order in which people expect names."""

from __future__ import annotations

from ludorum.gdl.natural import natural
from ludorum.gdl.terms import Term


def test_numbers_count_as_numbers_also_inside_names() -> None:
    assert sorted(["a10", "b1", "10", "a2", "9", "a"], key=natural) == ["9", "10", "a", "a2", "a10", "b1"]


def test_terms_go_by_how_they_are_written() -> None:
    assert sorted([Term("row10"), Term("row9")], key=natural) == [Term("row9"), Term("row10")]


def test_the_same_number_in_other_digits_has_a_place_of_its_own() -> None:
    assert natural("01") != natural("1")


def test_numbers_may_be_longer_than_python_reads() -> None:
    low, high = "1" * 5000, "2" * 5000
    assert sorted([high, low, "3"], key=natural) == ["3", low, high]
