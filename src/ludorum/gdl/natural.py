"""The order in which people expect names: `a2` before `a10`."""

from __future__ import annotations

import re


def natural(name: object) -> list[tuple[bool, int, str]]:
    """A sort key by which numbers, also inside names, count as numbers, and come before letters."""
    return [_number(part) if part.isdecimal() else (True, 0, part) for part in re.split(r"(\d+)", str(name)) if part]


def _number(digits: str) -> tuple[bool, int, str]:
    # By their length and then as text, not by `int`: rules come from strangers, and Python refuses very long numbers.
    plain = digits.lstrip("0")
    return False, len(plain), f"{plain} {digits}"
