"""The README and the pages of docs/ tell the truth: every example is run, and what it prints is what is shown.

On a page, in its order and in one folder and one Python session of its own:

- `kif save=NAME` blocks, and those in other languages, are written to a file of that name, one after the other;
- `python` blocks are run, and must print what the `text` block right after them shows, or nothing if there is none; an
  exception ends a block and shows as the last lines of its traceback;
- `console` blocks hold commands after `$ `, each followed by what it prints, standard error included.

In what is shown, … stands for anything within a line, and a line that is nothing but … for any lines. Spaces at the
ends of lines do not count. Of a block marked `figures`, such as `console figures`, the numbers are samples: any others
will do, and so will any spaces between them.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import subprocess
import sys
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

import pytest
from typer.testing import CliRunner

import ludorum
from ludorum import errors, library
from ludorum.cli.app import app

ROOT = Path(__file__).parents[1]
# The page of diagnostics is tested with the language; the others here hold figures of one machine and day.
ELSEWHERE = {"diagnostics.md", "toss-diagnostics.md", "corpus.md", "speed.md", "analysis.md"}
PAGES = [ROOT / "README.md", *sorted(page for page in (ROOT / "docs").rglob("*.md") if page.name not in ELSEWHERE)]

FENCED = re.compile(r"^```(\w+)?(?: save=(\S+)| (figures))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
RUN = {"python", "console"}


@dataclass(frozen=True)
class Block:
    language: str
    saved_as: str | None
    has_figures: bool
    text: str
    line: int
    #: Where it starts and ends on the page.
    start: int
    end: int


@dataclass(frozen=True)
class Example:
    """Something that prints: Python code or a command, and what the page shows of its output."""

    code: Block
    source: str
    shown: str


def blocks(page: str) -> list[Block]:
    return [Block(found[1] or "", found[2], bool(found[3]), found[4], page.count("\n", 0, found.start()) + 1,
                  found.start(), found.end())
            for found in FENCED.finditer(page)]


def examples(page: str) -> Iterator[Block | Example]:
    """What there is to save or to run, in the order of the page."""
    found = blocks(page)
    for block, following in zip_longest(found, found[1:]):
        if block.saved_as:
            yield block
        elif block.language == "python":
            is_answered = (following is not None and following.language == "text"
                           and not page[block.end:following.start].strip())
            yield Example(block, block.text, following.text if is_answered and following else "")
        elif block.language == "console":
            for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
                command, _, shown = part.partition("\n")
                yield Example(block, command, shown)


def matches(shown: str, printed: str, *, figures: bool = False) -> bool:
    """Whether a text is what a page shows of it; with `figures`, up to the numbers in it."""
    lines = [r"(?:.*\n)*?" if line.strip() == "…" else _pattern(line.rstrip(), figures) + r"\n"
             for line in shown.rstrip().split("\n")]
    tidy = "".join(f"{line.rstrip()}\n" for line in printed.rstrip().split("\n"))
    return re.fullmatch("".join(lines), tidy) is not None


def _pattern(line: str, figures: bool) -> str:
    pattern = re.escape(line).replace("…", ".*")
    if not figures:
        return pattern
    # Escaping puts a backslash before a space or a point.
    return re.sub(r"(?:\\ )+", " +", re.sub(r"\d[\d,]*(?:\\\.\d+)?", r"\\d[\\d,.]*", pattern))


def run_python(source: str, session: dict[str, object]) -> str:
    """What a block prints, and the exception that ends it if one does."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        try:
            exec(compile(source, "<example>", "exec"), session)
        except Exception as error:
            print("".join(traceback.format_exception_only(error)), end="")
    return out.getvalue()


def run_command(command: str) -> str:
    """What a command prints, as in a terminal of 100 columns."""
    environment = {**os.environ, "COLUMNS": "100", "NO_COLOR": "1",
                   "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    ended = subprocess.run(["bash", "-c", command], env=environment, text=True, stdin=subprocess.DEVNULL,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120, check=False)
    return ended.stdout


def outcome(example: Example, session: dict[str, object]) -> str:
    if example.code.language == "python":
        return run_python(example.source, session)
    return run_command(example.source)


@pytest.fixture
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in, and a cache that no other test has filled."""
    folder = tmp_path / "folder"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setenv("LUDORUM_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("LUDORUM_LANES", raising=False)
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_example_of_a_page_prints_what_it_shows(page: Path, own_folder: Path) -> None:
    session: dict[str, object] = {"__name__": "__main__"}
    for example in examples(page.read_text(encoding="utf-8")):
        if isinstance(example, Block):
            with open(own_folder / str(example.saved_as), "a", encoding="utf-8") as file:
                file.write(example.text)
            continue
        printed = outcome(example, session)
        assert matches(example.shown, printed, figures=example.code.has_figures), (
            f"{page.name}:{example.code.line}: {example.source}\nshows\n{example.shown}\nbut prints\n{printed}")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_no_example_is_skipped_for_its_form(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    found = blocks(text)
    assert len(re.findall(r"^```", text, re.MULTILINE)) == 2 * len(found), "a block is not closed, or misspelt"
    for block in found:
        known = RUN | {"text", "kif", "infix", "toss", "sh", "json", "toml"}
        assert block.language in known, f"{page.name}:{block.line}"
        if block.language == "console":
            assert block.text.startswith("$ "), f"{page.name}:{block.line} starts with no command"


LINK = re.compile(r"\]\((?!https?://)([^)#]*)(?:#([^)]*))?\)")


def anchors(page: Path) -> set[str]:
    """The names by which a forge links to the headings of a page."""
    text = FENCED.sub("", page.read_text(encoding="utf-8"))
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_leads_somewhere(page: Path) -> None:
    for target, anchor in LINK.findall(FENCED.sub("", page.read_text(encoding="utf-8"))):
        there = (page.parent / target) if target else page
        assert there.exists(), f"{page.name} links to {target}"
        if anchor:
            assert anchor in anchors(there), f"{page.name} links to {target}#{anchor}"


@pytest.mark.parametrize(("shown", "printed"), [
    ("one\ntwo\n", "one  \ntwo\n\n"),
    ("", ""),
    ("took … s\n", "took 0.25 s\n"),
    ("first\n…\nlast\n", "first\nsecond\nthird\nlast\n"),
    ("first\n…\n", "first\n"),
    ("a (b) [c] ?x . *\n", "a (b) [c] ?x . *\n"),
])
def test_what_is_shown_matches_what_is_printed(shown: str, printed: str) -> None:
    assert matches(shown, printed)


@pytest.mark.parametrize(("shown", "printed"), [
    ("one\n", "two\n"),
    ("one\n", "one\ntwo\n"),
    ("one\ntwo\n", "one\n"),
    ("", "something\n"),
    ("something\n", ""),
    ("took … s\n", "took 0.25 ms\n"),
    ("took … s\n", "took 1\n2 s\n"),
    ("first\n…\nlast\n", "first\nsecond\n"),
    ("a.c\n", "abc\n"),
    ("  indented\n", "indented\n"),
])
def test_anything_else_does_not_match(shown: str, printed: str) -> None:
    assert not matches(shown, printed)


def test_figures_may_differ_where_the_page_says_so_and_nothing_else_may() -> None:
    assert matches("gates  1,205  in 0.25 s\n", "gates 98  in 12 s\n", figures=True)
    assert not matches("gates  1,205\n", "gates 98\n")
    assert not matches("gates  1,205\n", "wires 98\n", figures=True)
    assert not matches("gates  1,205\n", "gates none\n", figures=True)
    assert not matches("gates  1,205  88\n", "gates 98\n", figures=True)


# What the pages promise to be complete about


def page(name: str) -> str:
    return (ROOT / "docs" / name).read_text(encoding="utf-8")


def test_the_page_of_the_library_lists_every_game_under_its_kind() -> None:
    headings = {"turn-taking": "Turn-taking games", "simultaneous": "Simultaneous games", "puzzle": "Puzzles",
                "chance": "Games of chance", "hidden information": "Games with hidden information"}
    sections = dict(re.findall(r"^## (.+?)\n(.*?)(?=^## |\Z)", page("library.md"), re.MULTILINE | re.DOTALL))
    for kind, heading in headings.items():
        rows = [f"| `{entry.name}` | {entry.title} | {entry.players} | {entry.description} |"
                for entry in library.catalogue() if entry.kind == kind]
        assert [line for line in sections[heading].splitlines() if line.startswith("| `")] == rows


def test_the_page_of_errors_draws_their_tree_and_tells_of_each() -> None:
    _, tree = (errors.__doc__ or "").split("\n\n", 1)
    assert f"```text\n{tree.strip()}\n```" in page("errors.md")
    told = re.findall(r"^\| `(\w+)` \|", page("errors.md"), re.MULTILINE)
    assert ["LudorumError", *told] == re.findall(r"^[│├└─ ]*(\w+)", tree, re.MULTILINE)


def test_the_page_of_circuits_explains_every_pass() -> None:
    made = ludorum.load("connectfour").report["passes"]
    explained = re.findall(r"^\| `([\w -]+)` \|", page("circuit.md"), re.MULTILINE)
    assert {did["name"] for did in made} <= set(explained)


VERBS = sorted(command.callback.__name__ for command in app.registered_commands if command.callback)


def test_the_readme_and_the_page_of_the_command_tell_of_every_verb() -> None:
    headings = re.findall(r"^## (\w+)$", page("command.md"), re.MULTILINE)
    assert sorted(headings) == VERBS
    table = page("../README.md").split("\n## The command\n")[1].split("\n## ")[0]
    assert sorted(re.findall(r"^\| `(\w+)\b[^`]*` \|", table, re.MULTILINE)) == VERBS


@pytest.mark.parametrize("arguments", [
    "games", "check nim", "info nim", "play nim --seconds 0.01", "bench nim --seconds 0.01", "perft nim 1",
    "match nim random legal", "solve wolfgoatcabbage", "prove nim playable", "analyse nim --seconds 8",
    "scramble nim", "export nim --to kif",
])
def test_json_has_what_the_page_of_the_command_promises(arguments: str) -> None:
    verb = arguments.split()[0]
    section = page("command.md").split(f"\n## {verb}\n")[1].split("\n## ")[0]
    promised = re.findall(r"`(\w+)`", section.split("With `--json`: ")[1].split("\n\n")[0])
    shown = CliRunner().invoke(app, [*arguments.split(), "--json"]).stdout
    assert list(json.loads(shown)) == promised
