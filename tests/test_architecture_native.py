"""Which folder of the core may include which: each only from itself and from those below it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

NATIVE = Path(__file__).parent.parent / "native"

# From the lowest to the highest, with the namespace of each. What stands in one line is free of the others.
FOLDERS = [
    {"support": "ludorum"},
    {"engine": "ludorum"},
    {"circuit": "ludorum::circuit", "relations": "ludorum::relations"},
    {"evaluation": "ludorum::evaluation"},
    {"belief": "ludorum::belief"},
    {"search": "ludorum::search", "search/mcts": "ludorum::mcts", "search/minimax": "ludorum::minimax",
     "search/puzzle": "ludorum::puzzle", "search/infosets": "ludorum::infosets"},
    {"learning": "ludorum::learning"},
    {"bindings": "ludorum::bindings"},
    {"tests": "ludorum::testing"},
]
LEVEL = {folder: level for level, folders in enumerate(FOLDERS) for folder in folders}
NAMESPACE = {folder: name for folders in FOLDERS for folder, name in folders.items()}

SOURCES = sorted(path for path in NATIVE.rglob("*") if path.suffix in {".h", ".cpp", ".inl"})


def folder_of(path: str) -> str:
    """The folder that a file, named from the root of the core, belongs to."""
    parts = path.split("/")
    return "/".join(parts[:2]) if "/".join(parts[:2]) in LEVEL else parts[0]


@pytest.mark.parametrize("path", SOURCES, ids=[path.relative_to(NATIVE).as_posix() for path in SOURCES])
def test_a_folder_includes_only_itself_and_those_below_it(path: Path) -> None:
    here = folder_of(path.relative_to(NATIVE).as_posix())
    assert here in LEVEL, f"{here} has no place in the core"
    text = path.read_text(encoding="utf-8")
    for included in re.findall(r'#include "([^"]+)"', text):
        assert (NATIVE / included).is_file(), f"{included} is not named from the root of the core"
        there = folder_of(included)
        assert there == here or LEVEL[there] < LEVEL[here], f"{here} must not know {there}"
    for namespace in re.findall(r"^namespace (ludorum[\w:]*) \{", text, flags=re.MULTILINE):
        assert namespace == NAMESPACE[here]
