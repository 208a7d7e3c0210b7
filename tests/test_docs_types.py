"""What the README and docs/ show is what a type checker accepts: every Python example passes mypy --strict.

The examples of a page are one module, as they are one session when they are run. A name may be used again for
something else, as people do in a session.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from test_docs import ROOT, blocks

pytestmark = pytest.mark.slow

pytest.importorskip("mypy")

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def as_module(page: str) -> str:
    """The Python of a page, each line where it stands there, so that an error names the line of the page."""
    lines = [""] * (page.count("\n") + 1)
    for block in blocks(page):
        if block.language == "python":
            code = block.text.splitlines()
            lines[block.line : block.line + len(code)] = code
    return "\n".join(lines) + "\n"


def test_every_python_example_passes_the_type_checker(tmp_path: Path) -> None:
    modules = []
    for page in PAGES:
        code = as_module(page.read_text(encoding="utf-8"))
        if code.strip():
            name = "_".join(page.relative_to(ROOT).with_suffix("").parts).replace("-", "_")
            modules.append(tmp_path / f"{name}.py")
            modules[-1].write_text(code, encoding="utf-8")
    assert len(modules) > 20
    checked = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file=", "--strict", "--allow-redefinition-new",
         "--ignore-missing-imports", "--local-partial-types", f"--cache-dir={ROOT / '.mypy_cache' / 'docs'}",
         *map(str, modules)],
        capture_output=True, text=True, check=False, cwd=ROOT / "src")
    assert checked.returncode == 0, checked.stdout + checked.stderr
