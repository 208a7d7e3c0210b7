"""Figures 7.3 and 7.4 of Schiffel's thesis again: what was proved then, and what is now.

    python bench/proofs.py FOLDER [GAME…] [--asp]

FOLDER holds the rulesheets of games.ggp.org and of Dresden in folders of these names. Every game is loaded and proved
in a process of its own; told are its time, on the clock and of a core, and its memory. The rows of these games are
written into docs/proofs.md. --asp asks the answer sets of the thesis, not the circuit, and writes nothing.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

PROPERTIES = ("control", "board", "board_given_control", "constant_sum")
#: The rulesheet, what Figure 7.3 says of the four properties, and the seconds of Figure 7.4.
GAMES: dict[str, tuple[str, tuple[str, ...], float]] = {
    "3pttc": ("dresden/3pttc", ("yes", "no", "no", "no"), 1.99),
    "8puzzle": ("dresden/8puzzle", ("n/a", "no", "n/a", "no"), 4.66),
    "amazons": ("ggp.org/amazons", ("yes", "-", "-", "yes"), 491.36),
    "blocker": ("ggp.org/blocker", ("n/a", "yes", "n/a", "yes"), 0.11),
    "checkers": ("ggp.org/checkers", ("yes", "-", "-", "yes"), 256.07),
    "connectfour": ("dresden/connectfour", ("yes", "no", "yes", "yes"), 0.14),
    "endgame": ("dresden/endgame", ("yes", "-", "-", "yes"), 433.83),
    "knightthrough": ("dresden/knightthrough", ("yes", "no", "yes", "yes"), 56.02),
    "othello": ("dresden/Othello", ("yes", "-", "-", "-"), 422.0),
    "pacman3p": ("ggp.org/pacman3p", ("yes", "no", "no", "no"), 3.05),
    "quarto": ("dresden/quarto", ("n/a", "no", "n/a", "yes"), 16.52),
    "tictactoe": ("ggp.org/ticTacToe", ("yes", "no", "yes", "yes"), 0.13),
    "tttcc4": ("ggp.org/ttcc4", ("yes", "-", "-", "no"), 447.65),
}
SECONDS = 55.0
PAGE = Path(__file__).resolve().parent.parent / "docs" / "proofs.md"
HEAD = ("| game | rulesheet | control | board | board given control | constant sum | seconds | of a core | MB "
        "| input arguments: proved, refuted, unknown | seconds, then | now | of a core |")
#: Too large to ground, and there is no need to find that out.
TOO_LARGE = ("amazons",)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("games", nargs="*", metavar="GAME", help=", ".join(GAMES))
    parser.add_argument("--asp", action="store_true")
    parser.add_argument("--json", action="store_true", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    method = "asp" if chosen.asp else None
    if chosen.json:
        print(json.dumps(measure(chosen.folder, chosen.games[0], method)))
        return
    print(HEAD)
    print("| --- " * (HEAD.count("|") - 1) + "|")
    for game in chosen.games or GAMES:
        options = ["--asp"] if chosen.asp else []
        ended = subprocess.run([sys.executable, __file__, str(chosen.folder), game, "--json", *options],
                               capture_output=True, text=True, check=False)
        if ended.returncode != 0:
            print(f"| {game} | failed: {ended.stderr.strip().splitlines()[-1]} |", flush=True)
            continue
        line = row(game, json.loads(ended.stdout))
        print(line, flush=True)
        if not chosen.asp:
            write(game, line)


def write(game: str, line: str) -> None:
    """Puts a game's row into the table of the page."""
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    (place,) = (number for number, old in enumerate(lines) if old.startswith(f"| {game} | `"))
    lines[place] = line
    PAGE.write_text("\n".join(lines) + "\n", encoding="utf-8")


def measure(folder: Path, game: str, method: Any) -> dict[str, Any]:
    """What is proved of one game, in this process."""
    import ludorum
    from ludorum.analysis.proofs import prove
    from ludorum.analysis.proofs.properties.arguments import modes
    from ludorum.clock import Budget
    from ludorum.errors import UnknownProperty

    start = time.perf_counter()
    loaded = ludorum.load(folder / f"{GAMES[game][0]}.kif", engine="relations" if game in TOO_LARGE else None)
    loading = time.perf_counter() - start
    start = time.perf_counter()
    asked = list(PROPERTIES)
    while True:
        try:
            proofs = prove(loaded, *asked, budget=Budget(SECONDS), method=method)
            found = {proof.property: proof.to_json() for proof in proofs}
            break
        except UnknownProperty as error:
            # The game has no board, or nothing that tells whose turn it is.
            asked.remove(str(error).split()[-1])
    proving, of_a_core = time.perf_counter() - start, _core_seconds()
    start = time.perf_counter()
    if loaded.fluents is not None and method is None:
        every = [f"input {mode}" for mode in modes(loaded.fluents)]
        inputs = prove(loaded, *every, budget=Budget(SECONDS))
    else:
        proofs = prove(loaded, budget=Budget(SECONDS), method="asp")
        inputs = [proof for proof in proofs if proof.property.startswith("input")]
    return {"loading": loading, "proofs": found, "seconds": proving,
            "inputs": {verdict: sum(proof.verdict == verdict for proof in inputs)
                       for verdict in ("proved", "refuted", "unknown")},
            "unproved": [str(proof) for proof in inputs if proof.verdict == "unknown"],
            "input_seconds": time.perf_counter() - start, "core_seconds": of_a_core,
            "input_core_seconds": _core_seconds() - of_a_core,
            "mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
            "child_mb": resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024}


def _core_seconds() -> float:
    """What this process and those that it started and that have ended have had of a core so far."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(who.ru_utime + who.ru_stime for who in used)


def row(game: str, found: dict[str, Any]) -> str:
    sheet, then, seconds_then = GAMES[game]
    cells = []
    for name, verdict in zip(PROPERTIES, then, strict=True):
        proof = found["proofs"].get(name)
        cells.append(f"{verdict} → {proof['verdict']}" if proof else verdict)
    inputs = found["inputs"]
    counts = ", ".join(str(inputs[verdict]) for verdict in ("proved", "refuted", "unknown"))
    return (f"| {game} | `{sheet}` | {' | '.join(cells)} | {found['loading']:.1f} + {found['seconds']:.1f} | "
            f"{found['core_seconds']:.1f} | {max(found['mb'], found['child_mb'])} | {counts} | {seconds_then:g} | "
            f"{found['input_seconds']:.1f} | {found['input_core_seconds']:.1f} |")


if __name__ == "__main__":
    main()
