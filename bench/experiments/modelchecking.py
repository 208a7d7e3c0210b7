"""What roles know, proved: Table 1 of the paper on model checking GDL-II (Ruan, Thielscher 2013), and other games.

There the six properties of well-formed games with secrets were checked by MCK 1.0.0. Here `ludorum prove` decides them,
on rulesheets of the same games; which sheets the paper had is not known. Times are of the processor, without loading.
The second table asks of every game with secrets whether each role knows its legal moves, the end and its goal.
"""

from __future__ import annotations

import re
import time
from typing import Any

from collection import GAMES
from experiments.games import Source
from experiments.plan import Plan
from experiments.tables import markdown
from ludorum import Game, library
from ludorum.belief import hides
from ludorum.clock import Budget
from ludorum.errors import LudorumError
from ludorum.verify import prove, resolve
from ludorum.verify.proving import Verifier

#: The work of about so many seconds for a property.
SECONDS = 60.0

# What makes a rulesheet one of a game with percepts.
_HIDES = re.compile(r"\(sees\s|\(role random\)")
#: What is asked of every role.
ASKED = ("knows_legal", "knows_end", "knows_goal")

#: The games of the paper's table, and its seconds for the six properties.
PAPER = (
    (Source("Monty Hall", "gdl2/montyhall"), (0.47, 0.48, 0.67, 0.60, 0.56, 0.43)),
    (Source("Krieg-Tictactoe 5x5", "kriegtictactoe"), (1864.81, 3528.14, 303.04, 22847.06, 22643.12, 5498.03)),
    (Source("Transit", "gdl2/transit"), (12.17, 7.54, 11.02, 14.91, 14.39, 45.15)),
    (Source("Meier", "gdl2/meier"), (6.41, 9.75, 17.06, 7.00, 23.28, 11.01)),
)


def every() -> tuple[Source, ...]:
    """All games at hand in which players are told percepts: those of the library, then those of the corpus."""
    of_library = [name for name in library.names() if _HIDES.search(library.entry(name).text)]
    of_corpus = [f"{folder}/{path.stem}" for folder in ("gdl2", "secrets")
                 for path in sorted((GAMES / folder).glob("*.kif"))]
    return tuple(Source(name, name) for name in (*of_library, *of_corpus))


def run(plan: Plan) -> None:
    known = {(noted["table"], noted["game"]) for noted in plan.noted("modelchecking")}
    with plan.notes("modelchecking") as note:
        for table, sources in (("paper", [source for source, _ in PAPER]), ("every", every())):
            for source in sources:
                if plan.wants(source.title) and source.is_here and (table, source.title) not in known:
                    plan.tell(f"{table}: {source.title}")
                    note({"table": table, "game": source.title, **_asked(source, table, plan)})


def _asked(source: Source, table: str, plan: Plan) -> dict[str, Any]:
    seconds = plan.seconds or SECONDS
    try:
        game = source.load()
        if not hides(game):
            return {"failed": "everybody is told all moves"}
        return {"proofs": _timed(game, table, seconds)}
    except LudorumError as error:
        return {"failed": str(error).splitlines()[0]}


def _timed(game: Game, table: str, seconds: float) -> list[dict[str, Any]]:
    start = time.process_time()
    if table == "paper":
        # One after the other, each with a clock of its own; what one finds out is lost to the next.
        names = [proof.property for proof in prove(game, "well_formed", budget=Budget(0.01))]
        names = [name if "ROLE" not in name else "playable" for name in names]
        found = []
        for name in names:
            (proof,) = prove(game, name, budget=Budget.about(seconds))
            found.append({**_short(proof.to_json()), "cpu": time.process_time() - start})
            start = time.process_time()
        return found
    verifier, found = Verifier(game), []
    for role in map(str, game.roles):
        for word in ASKED if role != "random" else ():
            # What was found out for one helps with the next, as in `ludorum prove`.
            text = f"{word} {role}"
            proof = verifier.proof(text, resolve(text, game), Budget.about(seconds))
            found.append({**_short(proof.to_json()), "cpu": time.process_time() - start})
            start = time.process_time()
    return found


def _short(proof: dict[str, Any]) -> dict[str, Any]:
    return {key: proof[key] for key in ("property", "verdict", "method")}


def table(plan: Plan) -> str:
    """The paper's table beside ours, and what is known in every game."""
    found = {(noted["table"], noted["game"]): noted for noted in plan.noted("modelchecking")}
    rows = []
    for source, paper in PAPER:
        noted = found.get(("paper", source.title))
        if noted is not None and "proofs" in noted:
            for number, proofs in enumerate(_by_property(noted["proofs"])):
                rows.append([source.title, f"({number + 1})", f"{paper[number]:,.2f}",
                             f"{sum(proof['cpu'] for proof in proofs):.2f}",
                             "; ".join(f"{proof['property']}: {proof['verdict']} ({proof['method']})"
                                       for proof in proofs)])
    first = markdown(["game", "property", "MCK, s", "here, s", "verdicts"], rows)
    others = []
    counts = {"proved": 0, "refuted": 0, "unknown": 0}
    for source in every():
        noted = found.get(("every", source.title))
        if noted is not None and "proofs" in noted:
            for role in dict.fromkeys(proof["property"].split()[1] for proof in noted["proofs"]):
                cells = [next(proof for proof in noted["proofs"] if proof["property"] == f"{word} {role}")
                         for word in ASKED]
                for cell in cells:
                    counts[cell["verdict"]] += 1
                others.append([f"`{source.title}`", role, *(f"{cell['verdict']}, {cell['cpu']:.1f}" for cell in cells)])
        elif noted is not None:
            others.append([f"`{source.title}`", "–", "–", "–", noted["failed"][:60]])
    second = markdown(["game", "role", "legal moves", "end", "goal"], others)
    total = sum(counts.values())
    told = ", ".join(f"{count} {verdict}" for verdict, count in counts.items())
    return (f"The six properties, with seconds of the processor:\n\n{first}\n\nWhat every role knows "
            f"({told}, of {total}), with seconds of the processor, loading not among them:\n\n{second}")


def _by_property(proofs: list[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """Proofs of one property a list: those of roles together."""
    groups: list[list[dict[str, Any]]] = [[] for _ in range(6)]
    words = ("AF ", "playable", "EF ", "knows_end", "knows_legal", "knows_goal")
    for proof in proofs:
        groups[next(place for place, word in enumerate(words) if proof["property"].startswith(word))].append(proof)
    return groups
