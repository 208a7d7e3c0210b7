"""Every game of the corpus by clicks: how its moves are made on the board. Writes docs/lab/clicks.md.

    python bench/clicks.py [--jobs 1] [--folder ggp.org] [--only NAME …] [--fresh] [--limit N]

In every game some states are looked at that random play meets with, and in each all legal moves of every role that has
a choice. One process a game. Results are kept in build/clicks.jsonl, one line a game, so that an interrupted run goes
on where it stopped; `--fresh` starts anew. Where the corpus has clicks that people wrote by hand, they are compared.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any

import ludorum
import ludorum.analysis.structures
import ludorum.drawing.compose
from collection import GAMES, ORACLE, require
from ludorum.drawing.clicking.clicks import Clicks
from ludorum.drawing.scene import Place
from ludorum.gdl.rulesheet import Not, Rulesheet
from ludorum.gdl.scrambling import scramble
from ludorum.gdl.terms import Term
from ludorum.joint import goes_on
from ludorum.state import State

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "build" / "clicks.jsonl"
PAGE = ROOT / "docs" / "lab" / "clicks.md"

#: A game that takes longer to load is left out; and so long all of it may take.
LOADING, MOST_SECONDS = 60.0, 240.0
#: Processes of games begin with all that is imported here.
FORK = multiprocessing.get_context("fork")
STATES, LONGEST = 14, 60
#: Of so many games the rules are scrambled, too.
SCRAMBLED = 40
#: The most moves of a state that are counted.
MOST_MOVES = 600
WAYS = ("clicks", "popup", "slider", "button", "list")


def main() -> None:
    arguments = _arguments()
    require()
    if arguments.game:
        print(json.dumps(measure(GAMES / arguments.game, is_scrambled=arguments.scramble)))
        return
    if arguments.fresh:
        RESULTS.unlink(missing_ok=True)
    RESULTS.parent.mkdir(exist_ok=True)
    known = _known()
    # Short sheets first: most of them are soon done.
    sheets = sorted((GAMES / arguments.folder).glob("*.kif"), key=lambda path: (path.stat().st_size, path.name))
    games = [str(path.relative_to(GAMES)) for path in sheets]
    scrambled = set(games[::max(1, len(games) // SCRAMBLED)][:SCRAMBLED])
    wanted = [game for game in games if Path(game).stem in arguments.only] if arguments.only else [
        game for game in games if game not in known][:arguments.limit]
    with ThreadPoolExecutor(arguments.jobs) as pool, RESULTS.open("a", encoding="utf-8") as results:
        for number, result in enumerate(pool.map(lambda game: _apart(game, scrambled), wanted), 1):
            results.write(json.dumps(result) + "\n")
            results.flush()
            print(f"{number}/{len(wanted)} {json.dumps(result)}", file=sys.stderr, flush=True)
    PAGE.write_text(page(list(_known().values()), len(games)), encoding="utf-8")
    print(f"wrote {PAGE.relative_to(ROOT)}", file=sys.stderr)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", default="ggp.org")
    parser.add_argument("--jobs", type=int, default=1, help="games at once")
    parser.add_argument("--only", nargs="*", help="look at these games again")
    parser.add_argument("--limit", type=int, help="so many games at most, and the others another time")
    parser.add_argument("--fresh", action="store_true", help="forget earlier results")
    parser.add_argument("--game", help="look at one game in this process and print its result")
    parser.add_argument("--scramble", action="store_true", help="and see whether other words give the same")
    return parser.parse_args()


def _known() -> dict[str, dict[str, Any]]:
    """The results so far, the last of each game."""
    if not RESULTS.exists():
        return {}
    results = (json.loads(line) for line in RESULTS.read_text(encoding="utf-8").splitlines())
    return {result["game"]: result for result in results}


def _apart(game: str, scrambled: set[str]) -> dict[str, Any]:
    """The result of a game in a process of its own."""
    here, there = FORK.Pipe(duplex=False)
    process = FORK.Process(target=_tell, args=(there, game, game in scrambled))
    process.start()
    there.close()
    try:
        if not here.poll(MOST_SECONDS):
            return {"game": game, "error": f"took more than {MOST_SECONDS:.0f} s"}
        result: dict[str, Any] = here.recv()
    except EOFError:
        return {"game": game, "error": "no word"}
    finally:
        process.kill()
        process.join()
    return result


def _tell(connection: Connection, game: str, is_scrambled: bool) -> None:
    try:
        connection.send(measure(GAMES / game, is_scrambled=is_scrambled))
    except Exception as error:
        connection.send({"game": game, "error": f"{type(error).__name__}: {error}"[:120]})


def measure(path: Path, *, is_scrambled: bool) -> dict[str, Any]:
    """How the moves of a game are made, what is drawn, and whether other words give the same paths."""
    start = time.process_time()
    game = ludorum.load(path, seconds=LOADING)
    counts: Counter[str] = Counter()
    length = 0
    states = _states(game.initial)
    for state in states:
        for role in state.choosers:
            found = ludorum.clicks(state, role)
            for move in list(found)[:MOST_MOVES]:
                counts[found.way(move)] += 1
                length += len(found[move])
    total = sum(counts.values())
    scene = ludorum.scene(game.initial)
    result: dict[str, Any] = {
        "game": str(path.relative_to(GAMES)),
        "moves": total, "states": len(states),
        "ways": {way: counts[way] / total for way in WAYS} if total else {},
        "clicks": length / total if total else 0.0,
        "boards": [f"{board.geometry} {len(board.cells)}" for board in scene.boards],
        "facts": len(scene.facts),
    }
    oracle = by_hand(path.stem)
    if oracle:
        result["by_hand"] = compared(states, oracle)
    if is_scrambled:
        result["scrambled"] = is_same_in_other_words(game, states[:3])
    result["seconds"] = round(time.process_time() - start, 1)
    return result


def _states(initial: State) -> list[State]:
    """Some states of random play, the initial one first."""
    random = Random(0)
    found = [initial]
    state, length = initial, 0
    for _ in range(20 * STATES):
        if len(found) >= STATES:
            break
        if not goes_on(state) or length >= LONGEST:
            state, length = initial, 0
            if not goes_on(initial):
                break
        state = state.after({role: random.choice(state.legal(role)) for role in state.game.roles})
        length += 1
        if goes_on(state) and random.random() < 0.4 and state not in found:
            found.append(state)
    return found


def by_hand(game: str) -> dict[str, list[str]]:
    """The clicks that people wrote for a game: for moves the cells, their coordinates written together."""
    path = ORACLE / "clicks" / "clicks.tsv"
    if not path.is_file():
        return {}
    found = {}
    for line in path.read_text(encoding="utf-8").splitlines()[1:]:
        name, move, first, *then = line.split("\t")
        if name == game:
            cells = [first, *(then[0].split() if then else [])]
            found[move] = [cell.removeprefix("cell_") for cell in cells]
    return found


def compared(states: list[State], oracle: dict[str, list[str]]) -> dict[str, Any]:
    """How many of the moves that people wrote clicks for have the same, in states where they are legal."""
    same = met = 0
    differing: list[str] = []
    for state in states:
        for role in state.choosers:
            found = ludorum.clicks(state, role)
            for move, path in found.items():
                if str(move) not in oracle:
                    continue
                met += 1
                if is_same(found, path, oracle[str(move)]):
                    same += 1
                elif len(differing) < 3:
                    differing.append(f"{move}: {[''.join(place.coordinates) for place in path]}")
    return {"met": met, "same": same, "differing": differing}


def is_same(found: Clicks, path: tuple[Any, ...], cells: list[str]) -> bool:
    """Whether clicks are those that people wrote.

    Where a click on any cell of a line will do, theirs is one of them; and where there are several boards, theirs are
    numbered after the coordinates. What we choose from a tray after the clicks on cells, theirs choose by clicking the
    last of these again and again.
    """
    path = tuple(place for place in path if place.kind != "content")
    if len(path) != len(cells):
        return False
    for place, cell in zip(path, cells, strict=True):
        names = {"".join(place.coordinates)} | {"".join(other.coordinates) for other, target in found.aliases.items()
                                                if target == place}
        if cell not in names and not any(cell[:-1] == name and place.board.endswith(cell[-1]) for name in names):
            return False
    return True


def is_same_in_other_words(game: ludorum.Game, states: list[State], seed: int = 1) -> bool:
    """Whether scrambled rules give the same paths and the same pictures in some states, the names put back."""
    rules = scramble(game.rules, seed)
    words = _words(game.rules, rules)
    other = ludorum.Game(rules, name=game.name, seconds=LOADING)
    back = {new: old for old, new in words.items()}
    for state in states:
        there = other.state([_renamed(fluent, words) for fluent in state.fluents])
        if _placed(state, {}) != _placed(there, back):
            return False
        for role in state.choosers:
            if _paths(state, role, {}) != _paths(there, words.get(role, role), back):
                return False
    return True


def _words(rules: Rulesheet, other: Rulesheet) -> dict[str, str]:
    """For every symbol what it is called in the other rules, which are the same but for names."""
    found = {}
    pairs: list[tuple[Any, Any]] = [(one, two) for rule, twin in zip(rules.rules, other.rules, strict=True)
                                    for one, two in zip((rule.head, *rule.body), (twin.head, *twin.body), strict=True)]
    while pairs:
        one, two = pairs.pop()
        if isinstance(one, Term):
            found[one.name] = two.name
            pairs += zip(one.args, two.args, strict=True)
        elif isinstance(one, Not):
            pairs.append((one.formula, two.formula))
        elif hasattr(one, "formulas"):
            pairs += zip(one.formulas, two.formulas, strict=True)
    return found


def _renamed(term: Term, words: dict[str, str]) -> Term:
    return Term(words.get(term.name, term.name), tuple(_renamed(arg, words) for arg in term.args
                                                       if isinstance(arg, Term)))


def _named(place: Place, words: dict[str, str]) -> tuple[str, ...]:
    """A place in the first words; coordinates may be terms."""
    return tuple(" ".join(words.get(word, word) for word in text.replace("(", " ").replace(")", " ").split())
                 for text in (place.board, *place.coordinates))


def _placed(state: State, words: dict[str, str]) -> dict[tuple[str, ...], Any]:
    """Where places are and what they look like."""
    return {_named(cell.place, words): (round(cell.x), round(cell.y),
                                        [(content.shape, content.colour) for content in cell.contents])
            for cell in ludorum.scene(state).cells}


def _paths(state: State, role: str, words: dict[str, str]) -> dict[Term, list[tuple[str, ...]]]:
    found = ludorum.clicks(state, role)
    return {_renamed(move.term, words): [_named(place, words) for place in path] for move, path in found.items()}


def page(results: list[dict[str, Any]], games: int) -> str:
    """The table, worst games first."""
    told = [result for result in results if result.get("ways")]
    means = {way: fmean(result["ways"][way] for result in told) for way in WAYS} if told else {}
    hand = [result["by_hand"] for result in results if result.get("by_hand", {}).get("met")]
    same = sum(result["same"] == result["met"] for result in hand)
    bare = [result["game"] for result in results if "error" not in result and not result["boards"]]
    lines = [
        "# Moves by clicks", "",
        f"`make clicks` wrote this page: {len(told)} of the {games} games of the corpus's ggp.org folder, "
        f"up to {STATES} states of random play each, every legal move of every role with a choice. "
        "Mean over the games of the share of moves:", "",
        "| clicks alone | clicks and a pop-up | a slider | a button | the list |",
        "| ---: | ---: | ---: | ---: | ---: |",
        "| " + " | ".join(f"{100 * means.get(way, 0):.1f} %" for way in WAYS) + " |", "",
        f"Without the list: {100 * (1 - means.get('list', 0)):.1f} %. "
        f"Games of which nothing is drawn as a board or a counter: {len(bare)}"
        + (f" ({', '.join(sorted(Path(game).stem for game in bare))})." if bare else "."), "",
        f"Clicks that people wrote by hand were met with in {len(hand)} games; in {same} of them all are the same. "
        f"Scrambled rules give the same pictures and paths in {sum(bool(r.get('scrambled')) for r in told)} "
        f"of the {sum('scrambled' in r for r in told)} games where that was tried.", "",
        "| game | clicks | pop-up | slider | button | list | clicks a move | drawn | by hand | scrambled |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | --- | --- | --- |"]
    for result in sorted(results, key=lambda result: result["game"].lower()):
        name = Path(result["game"]).stem
        if "error" in result:
            lines.append(f"| {name} | {result['error'].replace('|', '/')} | | | | | | | | |")
            continue
        ways = " | ".join(f"{100 * result['ways'][way]:.0f}" if result["ways"] else "" for way in WAYS)
        hand_told = result.get("by_hand", {})
        lines.append(f"| {name} | {ways} | {result['clicks']:.1f} | {', '.join(result['boards'])} "
                     f"| {hand_told['same']} of {hand_told['met']} |" if hand_told else
                     f"| {name} | {ways} | {result['clicks']:.1f} | {', '.join(result['boards'])} | |")
        lines[-1] += f" {'' if 'scrambled' not in result else 'same' if result['scrambled'] else 'differs'} |"
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
