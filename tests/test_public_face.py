"""What `import ludorum` promises."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import ludorum


def test_these_names_are_public() -> None:
    assert set(ludorum.__all__) == {
        "Game", "Match", "Move", "Outcome", "Playouts", "Role", "State",
        "clicks", "draw", "load", "parse", "play", "scene", "__version__",
        "errors", "gdl", "library", "players",
        "analysis", "circuit", "engines", "envs", "evaluate", "learn", "market", "match", "mechanism", "protocol",
        "report", "search",
    }
    assert all(hasattr(ludorum, name) for name in ludorum.__all__)


def test_modules_come_when_they_are_asked_for() -> None:
    script = ("import sys, ludorum; print('ludorum.evaluate' in sys.modules); "
              "print(ludorum.evaluate.EvaluationSettings.__name__, 'report' in dir(ludorum))")
    shown = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert shown.split("\n")[:2] == ["False", "EvaluationSettings True"]
    with pytest.raises(AttributeError, match="has no attribute 'nonsense'"):
        ludorum.nonsense  # noqa: B018 (asking is the point)


def test_the_version_is_that_of_the_project() -> None:
    project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert ludorum.__version__ == project["version"]


def test_every_error_can_be_caught_by_one_name() -> None:
    classes = [value for value in vars(ludorum.errors).values()
               if isinstance(value, type) and issubclass(value, Exception)]
    assert len(classes) > 10
    assert all(issubclass(error, ludorum.errors.LudorumError) for error in classes)


def test_the_tree_at_the_top_of_errors_draws_every_one_of_them() -> None:
    drawn = {word for line in (ludorum.errors.__doc__ or "").splitlines() for word in line.split()}
    classes = {name for name, value in vars(ludorum.errors).items()
               if isinstance(value, type) and issubclass(value, Exception)}
    assert classes <= drawn


def test_importing_does_not_wait_for_what_only_some_need() -> None:
    script = "import sys, ludorum.cli.app; print([m for m in ('numpy', 'clingo') if m in sys.modules])"
    shown = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    assert shown.strip() == "[]"
