"""Do all engines for formulas of time and knowledge agree with brute force? More of it than the tests have time for.

    python bench/knowledge.py [--games 300] [--formulas 40] [--first 0] [--folder build/knowledge]

Every seed is a small random game with secrets, of at most 2,000 points, every number a random formula about it. Brute
force plays every match and follows every path. All points, and the engines on the circuit, must say the same where
they answer, and matches that they show must replay and look alike. What was compared is written down, a line a game,
and is not compared again; a disagreement is written down, and the run ends with an error.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "verify"))

from brute_force import BruteForce
from secret_games import random_formula, random_game, random_moment, roles_of

import ludorum
from ludorum.clock import Budget
from ludorum.errors import InvalidFormula
from ludorum.verify import look_alike, parse, resolve
from ludorum.verify.proving import Verifier

MOST_POINTS = 2_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--formulas", type=int, default=40)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--folder", type=Path, default=Path("build") / "knowledge")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    notes = options.folder / f"{options.formulas}.jsonl"
    known = {noted["seed"]: noted for noted in map(json.loads, notes.read_text().splitlines())} \
        if notes.exists() else {}
    seeds = range(options.first, options.first + options.games)
    with notes.open("a", encoding="utf-8") as file:
        for seed in seeds:
            if seed not in known:
                known[seed] = compared(seed, options.formulas)
                file.write(json.dumps(known[seed]) + "\n")
                file.flush()
    found = [known[seed] for seed in seeds]
    methods: Counter[str] = sum((Counter(noted["methods"]) for noted in found), Counter())
    print(f"{len(found)} games of {min(n['points'] for n in found)} to {max(n['points'] for n in found)} points, "
          f"{sum(noted['formulas'] for noted in found)} formulas, {sum(noted['cpu'] for noted in found):.0f} s")
    for method, count in methods.most_common():
        print(f"{count:8} {method}")
    wrong = [line for noted in found for line in noted["wrong"]]
    print(f"{len(wrong)} disagreements", *wrong, sep="\n")
    if wrong:
        raise SystemExit(1)


def compared(seed: int, count: int) -> dict[str, Any]:
    """One game: how many formulas were compared, who answered, and what was wrong."""
    start = time.process_time()
    text = random_game(seed)
    game = ludorum.load(text)
    oracle, verifier = BruteForce(game), Verifier(game)
    # It has to do without all points: by parts, by twins and observers, and near the beginning.
    other = Verifier(game, few=0, most=0)
    assert len(oracle.states) <= MOST_POINTS
    methods: Counter[str] = Counter()
    wrong: list[str] = []
    asked = 0
    number = 0
    while asked < count:
        formula = drawn(seed, number, roles_of(text))
        number += 1
        try:
            resolved = resolve(formula, game)
        except InvalidFormula:
            # It speaks of a fluent that the rules never make true.
            continue
        asked += 1
        truth = "proved" if oracle.holds(parse(formula)) else "refuted"
        for finding in (verifier.exactly(resolved, Budget(20), 100_000), other.decide(resolved, Budget(5)),
                        other.near_the_beginning(resolved, Budget(2))):
            methods[finding.method if finding.is_known else "unknown"] += 1
            if finding.is_known and finding.verdict != truth:
                wrong.append(f"{seed}: {formula} is {truth}, not {finding.verdict} by {finding.method}")
            if not look_alike(game, finding.matches) or "does not replay" in finding.method:
                wrong.append(f"{seed}: {formula}: matches by {finding.method} do not show it")
    return {"seed": seed, "points": len(oracle.states), "formulas": asked, "methods": dict(methods), "wrong": wrong,
            "cpu": round(time.process_time() - start, 2)}


def drawn(seed: int, number: int, roles: list[str]) -> str:
    """A formula of any kind, one about all or some moments, which all engines are for, or one about time alone."""
    random = Random(1_000 * seed + number)
    if number % 3 == 1:
        return f"{random.choice(['AG', 'EF'])} {random_moment(random, roles)}"
    return str(random_formula(1_000 * seed + number, roles, surely=True, knows=number % 3 == 0))


if __name__ == "__main__":
    main()
