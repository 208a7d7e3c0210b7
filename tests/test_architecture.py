"""Which part may import which: each only from those above it, as the design lists them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent.parent / "src" / "ludorum"

# From the lowest to the highest. What stands in one line is one part, free within itself.
PARTS = [
    ["absent", "grammar", "sequential"],
    ["errors"],
    ["_core"],
    ["clock", "findings"],
    ["child"],
    ["crew"],
    ["gdl"],
    ["toss"],
    ["market"],
    ["languages"],
    ["asp"],
    ["ground"],
    ["circuit", "relations", "prolog"],
    ["engines"],
    ["library"],
    ["move", "joint", "state", "game", "pickling", "loading"],
    ["analysis"],
    ["drawing", "draw"],
    ["compare"],
    ["evaluate"],
    ["belief"],
    ["verify"],
    ["equilibrium"],
    ["mechanism"],
    ["search"],
    ["learn"],
    ["report"],
    ["players"],
    ["protocol"],
    ["match"],
    ["envs"],
    ["serve"],
    ["marketplace"],
    ["web"],
    ["cli"],
]
LEVEL = {name: level for level, part in enumerate(PARTS) for name in part}


def imports(path: Path) -> Iterator[str]:
    """The modules of this package that a file imports, by full name; those for types alone do not count."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for_types_only = {id(inner) for node in ast.walk(tree)
                      if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
                      for inner in ast.walk(node)}
    for node in ast.walk(tree):
        if id(node) in for_types_only:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path.name} imports relatively"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def part_of(module: str) -> str | None:
    """The part of the package that a full name belongs to."""
    names = module.split(".")
    return names[1] if names[0] == "ludorum" and len(names) > 1 else None


FILES = sorted(path for path in SOURCE.rglob("*.py") if path != SOURCE / "__init__.py")


@pytest.mark.parametrize("path", FILES, ids=[str(path.relative_to(SOURCE)) for path in FILES])
def test_a_part_imports_only_from_those_above_it(path: Path) -> None:
    here = path.relative_to(SOURCE).parts[0].removesuffix(".py")
    assert here in LEVEL, f"{here} has no place in the design"
    for module in imports(path):
        there = part_of(module)
        if there is not None:
            assert LEVEL[there] <= LEVEL[here], f"{here} stands above {there}"


def test_only_one_file_knows_clingo() -> None:
    knowing = [path.relative_to(SOURCE).as_posix() for path in FILES
               if any(module.split(".")[0] == "clingo" for module in imports(path))]
    assert knowing == ["asp/clingo_worker.py"]


def test_only_one_file_knows_igraph() -> None:
    # It is loaded by its path, so there is no import to see.
    knowing = [path.relative_to(SOURCE).as_posix() for path in FILES
               if "GraphBase" in path.read_text(encoding="utf-8")
               or any(module.split(".")[0] == "igraph" for module in imports(path))]
    assert knowing == ["analysis/symmetry/bliss.py"]


def test_only_one_file_knows_the_sat_solver() -> None:
    knowing = [path.relative_to(SOURCE).as_posix() for path in FILES
               if any(module.split(".")[0] == "pysat" for module in imports(path))]
    assert knowing == ["analysis/proofs/encoding/sat.py"]


def test_nothing_imports_the_command() -> None:
    assert not [path for path in FILES if path.parent.name != "cli"
                and any(part_of(module) == "cli" for module in imports(path))]


def test_every_exception_that_others_may_meet_is_in_one_file() -> None:
    # One with an underscore never leaves its file; those of the command end a verb, and nobody else can catch them.
    def is_exception(node: ast.ClassDef) -> bool:
        return any(ast.unparse(base).endswith(("Error", "Exception")) or ast.unparse(base) in declared
                   for base in node.bases)

    def classes(path: Path) -> list[ast.ClassDef]:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        return [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]

    declared = {node.name for node in classes(SOURCE / "errors.py")}
    elsewhere = [f"{path.relative_to(SOURCE).as_posix()}: {node.name}" for path in FILES for node in classes(path)
                 if is_exception(node) and not node.name.startswith("_")
                 and path.relative_to(SOURCE).parts[0] not in ("errors.py", "cli")]
    assert not elsewhere


def test_the_tree_of_exceptions_names_each_of_them() -> None:
    tree = ast.parse((SOURCE / "errors.py").read_text(encoding="utf-8"))
    drawn = ast.get_docstring(tree) or ""
    assert [node.name for node in tree.body if isinstance(node, ast.ClassDef) and node.name not in drawn.split()] == []
