"""The page docs/lab/corpus.md, made from the results of corpus.py."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import median
from typing import Any

Result = dict[str, Any]

# Games where the traces and the definition of the language differ, and why.
_DISAGREEMENTS = Path(__file__).with_name("disagreements.toml")

_BEFORE = """\
# The corpus

Ludorum is tested on rulesheets that other people wrote for competitions and courses since 2005. They are
not part of the project; where they are at hand, `make corpus` loads every one of them in a process of its
own with a budget of 60 s and 4 GiB, plays it, replays the traces that the prover of ggp-base wrote down, and
writes this page.
"""

_LEGEND = """\
## Every game

| column | what it is |
| --- | --- |
| load | seconds of wall time from the text to a game that can be played |
| Python, clingo | seconds of processor time of the two processes that do it: this one, and the grounder |
| MB | the peak of the two processes' memory, added |
| rules | ground rules that reach the circuit |
| inputs | inputs of all gates: what a step costs |
| playouts/s | random matches a second, one thread, measured for a third of a second |
| ends | shares of playouts that did not finish: stuck (a role without a legal move) or cut at 10,000 steps |
| trace | states of the trace that were compared, and mismatches if there are any |
"""


def page(results: Sequence[Result]) -> str:
    """The whole page in Markdown."""
    disagreements = tomllib.loads(_DISAGREEMENTS.read_text(encoding="utf-8"))
    results = sorted(results, key=lambda result: result["game"].lower())
    by_folder: dict[str, list[Result]] = {}
    # The clean collection first.
    for result in sorted(results, key=lambda result: _folder(result) != "ggp.org"):
        by_folder.setdefault(_folder(result), []).append(result)
    parts = [_BEFORE]
    parts.append("\n".join(_summary(folder, of_folder) for folder, of_folder in by_folder.items()))
    parts.append(_others(results))
    parts.append(_unfinished(results))
    parts.append(_agreement(results, disagreements))
    parts.append(_LEGEND)
    for folder, of_folder in by_folder.items():
        parts.append(f"### {folder}\n\n{_table(of_folder)}")
    return "\n".join(parts)


def _folder(result: Result) -> str:
    return str(result["game"]).split("/")[0]


def is_circuit(result: Result) -> bool:
    """Whether a game loads as a circuit within its budget."""
    return result.get("engine") == "circuit" and result["load_seconds"] <= 60 and _memory(result) <= 4096


def _memory(result: Result) -> float:
    return float(result["python_mb"] + result.get("clingo_mb", 0))


def _cpu(result: Result) -> float:
    return float(result["python_seconds"] + result["clingo_seconds"])


def _summary(folder: str, results: Sequence[Result]) -> str:
    circuits = [result for result in results if is_circuit(result)]
    if not circuits:
        return f"- **{folder}**: {len(results)} games, none as a circuit"
    quick = sum(result["python_seconds"] < 1 for result in circuits)
    traced = [result["trace"] for result in results if "trace" in result]
    python = median(result["python_seconds"] for result in circuits)
    return (f"- **{folder}**: {len(circuits)} of {len(results)} games load as circuits within 60 s and "
            f"4 GiB. The median takes {median(map(_cpu, circuits)):.2f} s of processor time, {python:.2f} s "
            f"of it in Python; {quick} take less than 1 s of Python time. "
            f"{sum(trace['states'] for trace in traced):,} states of {len(traced)} traces were compared.")


def _others(results: Sequence[Result]) -> str:
    others = [result for result in results if not is_circuit(result)]
    lines = ["\n## Games that are not played as circuits\n"]
    lines += [f"- `{result['game']}`: {_why_not(result)}" for result in others] or ["None."]
    return "\n".join(lines) + "\n"


def _unfinished(results: Sequence[Result]) -> str:
    """Games of which no random match came to its end."""
    lines = ["## Games that no random match finished\n"]
    lines += [f"- `{result['game']}`: of {result['playouts']:,} {_ends(result) or 'none ended'}"
              for result in results if "playouts" in result and not result["finished"]]
    if len(lines) == 1:
        lines.append("None: every game that loads finishes random matches.")
    return "\n".join(lines) + "\n"


def _why_not(result: Result) -> str:
    if "error" in result:
        return str(result["error"]).splitlines()[0]
    if result["engine"] != "circuit":
        return f"{result['engine']} engine; {result['why']}"
    return f"it takes {result['load_seconds']:.0f} s and {_memory(result):,.0f} MB, more than its budget"


def _agreement(results: Sequence[Result], disagreements: dict[str, Any]) -> str:
    lines = ["## Where the traces differ\n"]
    for result in results:
        trace = result.get("trace")
        if trace is None or not trace["mismatch_count"]:
            continue
        reason = disagreements.get(result["game"], {}).get("reason", "not understood yet")
        lines.append(f"- `{result['game']}`: {trace['mismatch_count']} answers in {trace['states']} states. "
                     f"{reason}")
    if len(lines) == 1:
        lines.append("Nowhere.")
    unfinished = [r for r in results if "trace" in r and not r["trace"]["complete"]]
    if unfinished:
        lines.append("\nThe time for comparing ended before the trace did in "
                     + ", ".join(f"`{r['game']}` ({r['trace']['states']} states)" for r in unfinished) + ".")
    walked = [r for r in results if "walks" in r]
    if walked:
        different = [f"`{r['game']}`" for r in walked if r["walks"]["mismatch_count"]]
        lines.append(f"\nRandom walks with the reference engine beside ours visited "
                     f"{sum(r['walks']['states'] for r in walked):,} states of {len(walked)} games; "
                     + (f"they differ in {', '.join(different)}." if different else "they never differed."))
    return "\n".join(lines) + "\n"


def _table(results: Iterable[Result]) -> str:
    head = ("game", "engine", "load", "Python", "clingo", "MB", "fluents", "moves", "rules", "gates",
            "inputs", "playouts/s", "ends", "trace")
    lines = [_row(head), _row(["---", "---"] + ["---:"] * 10 + ["---", "---"])]
    lines += [_row(_cells(result)) for result in results]
    return "\n".join(lines) + "\n"


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cells(result: Result) -> list[str]:
    name = Path(result["game"]).stem
    if "error" in result:
        return [name, "–", *[""] * 12]
    seconds = [f"{result[what]:.2f}" for what in ("load_seconds", "python_seconds", "clingo_seconds")]
    sizes = [f"{result[what]:,}" if what in result else ""
             for what in ("fluents", "moves", "rules", "gates", "inputs")]
    speed = f"{result['playouts_per_second']:,.0f}" if "playouts_per_second" in result else ""
    return [name, result["engine"], *seconds, f"{_memory(result):,.0f}", *sizes, speed, _ends(result),
            _trace(result)]


def _ends(result: Result) -> str:
    shares = [f"{what} {result[what] / result['playouts']:.0%}" for what in ("stuck", "cut")
              if result.get(what)]
    return ", ".join(shares)


def _trace(result: Result) -> str:
    trace = result.get("trace")
    if trace is None:
        return "none"
    differing = f", {trace['mismatch_count']} differ" if trace["mismatch_count"] else ""
    return f"{trace['states']}{differing}{'' if trace['complete'] else ', cut short'}"
