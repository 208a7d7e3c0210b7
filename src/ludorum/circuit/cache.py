"""Compiled circuits on disk, so that the second load of a game takes milliseconds.

A circuit is kept in the user's cache under the hash of its rules and of everything that made it: the version and the
source of the compiler. LUDORUM_CACHE names another folder, or `off`. Whatever is wrong with a file, or with the
folder, only means that the game is compiled again.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludorum import _core
from ludorum import asp as asp_package
from ludorum import circuit as circuit_package
from ludorum import gdl as gdl_package
from ludorum import ground as ground_package
from ludorum.circuit.circuit import Circuit, Loop, Pass
from ludorum.errors import TooLargeToGround
from ludorum.gdl import Rulesheet, to_kif
from ludorum.gdl.terms import Term

#: Past this many the oldest are dropped.
MOST_FILES = 300


def folder() -> Path | None:
    """Where compiled circuits are kept; None if they are not."""
    chosen = os.environ.get("LUDORUM_CACHE", "")
    if chosen.lower() == "off":
        return None
    if chosen:
        return Path(chosen)
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return Path(base) / "ludorum"


def find(rules: Rulesheet) -> tuple[Circuit, dict[str, Any]] | None:
    """The circuit of these rules with the report that was kept with it, if it is there."""
    place = _place(rules)
    if place is None:
        return None
    try:
        data = place.read_bytes()
        os.utime(place)  # the oldest are those that were not asked for the longest
        return _restore(data)
    except (OSError, ValueError, KeyError, TypeError, IndexError, EOFError):
        return None


def find_failure(rules: Rulesheet, seconds: float, memory_mb: int) -> TooLargeToGround | None:
    """That these rules did not ground within this budget, if that is known."""
    place = _failure_place(rules, seconds, memory_mb)
    if place is None:
        return None
    try:
        told = json.loads(place.read_bytes())
        os.utime(place)
        return TooLargeToGround(str(told["message"]), {str(relation): int(size)
                                                       for relation, size in told["sizes"].items()}, is_repeatable=True)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def keep_failure(rules: Rulesheet, seconds: float, memory_mb: int, error: TooLargeToGround) -> None:
    """Keeps that these rules did not ground within this budget."""
    _write(_failure_place(rules, seconds, memory_mb),
           lambda: json.dumps({"message": str(error), "sizes": error.sizes}).encode())


def keep(rules: Rulesheet, circuit: Circuit, report: dict[str, Any]) -> None:
    """Keeps a circuit and what there is to tell about it, as plain JSON values."""
    _write(_place(rules), lambda: _dump(circuit, report))


def _write(place: Path | None, content: Callable[[], bytes]) -> None:
    if place is None:
        return
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        # Under a name of its own first: nobody ever reads half a file.
        handle, temporary = tempfile.mkstemp(dir=place.parent, suffix=".tmp")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content())
            os.replace(temporary, place)
        except BaseException:
            os.unlink(temporary)
            raise
        for old in sorted(place.parent.glob(f"*{place.suffix}"), key=lambda path: path.stat().st_mtime)[:-MOST_FILES]:
            old.unlink(missing_ok=True)
    except OSError:
        return


def _place(rules: Rulesheet) -> Path | None:
    base = folder()
    if base is None:
        return None
    digest = hashlib.sha256(_compiler() + to_kif(rules).encode()).hexdigest()
    return base / f"{digest[:32]}.npz"


def _failure_place(rules: Rulesheet, seconds: float, memory_mb: int) -> Path | None:
    place = _place(rules)
    return None if place is None else place.with_name(f"{place.stem}-{seconds:g}s-{memory_mb}mb.json")


@cache
def _compiler() -> bytes:
    """A hash of the code that makes circuits: an edit of a pass must not be answered from the cache."""
    digest = hashlib.sha256()
    for package in (gdl_package, asp_package, ground_package, circuit_package):
        for path in sorted(Path(package.__path__[0]).glob("*.py")):
            digest.update(path.read_bytes())
    # Of the core, which is large, only when it was made.
    core = os.stat(_core.__file__)
    digest.update(f"{core.st_size} {core.st_mtime_ns}".encode())
    return digest.digest()


# ---- as bytes ----


def _dump(circuit: Circuit, report: dict[str, Any]) -> bytes:
    names = {
        "roles": [_plain(term) for term in circuit.roles],
        "fluents": [_plain(term) for term in circuit.fluents],
        "moves": [[_plain(term) for term in of_role] for of_role in circuit.moves],
        "percepts": [[_plain(term) for term, _ in told] for told in circuit.percepts],
        "passes": [asdict(did) for did in circuit.passes],
        "reachable_passes": [asdict(did) for did in circuit.reachable.passes] if circuit.reachable else [],
        "report": report,
    }
    arrays = _arrays(circuit)
    if circuit.reachable is not None:
        arrays |= {f"reachable_{name}": array for name, array in _arrays(circuit.reachable).items()}
    buffer = io.BytesIO()
    np.savez(buffer, names=np.frombuffer(json.dumps(names).encode(), dtype=np.uint8), **arrays)  # type: ignore[arg-type]
    return buffer.getvalue()


def _arrays(circuit: Circuit) -> dict[str, NDArray[np.int64]]:
    return {
        "sizes": _numbers([len(inputs) for inputs in circuit.gate_inputs]),
        "inputs": _numbers([literal for inputs in circuit.gate_inputs for literal in inputs]),
        "loops": _numbers([[loop.wire, loop.definition, loop.component] for loop in circuit.loops]).reshape(-1, 3),
        "initial": _numbers(circuit.initial),
        "agreements": _numbers(circuit.agreements).reshape(-1, 2),
        "next": _numbers(circuit.next),
        "legal": _numbers([literal for of_role in circuit.legal for literal in of_role]),
        "single": _numbers([circuit.terminal, circuit.turns]),
        "phases": _numbers(circuit.phases),
        "goals": _numbers([[role, value, literal] for role, goals in enumerate(circuit.goals)
                           for value, literal in goals]).reshape(-1, 3),
        "percepts": _numbers([literal for told in circuit.percepts for _, literal in told]),
    }


def _restore(data: bytes) -> tuple[Circuit, dict[str, Any]]:
    with np.load(io.BytesIO(data), allow_pickle=False) as stored:
        names = json.loads(stored["names"].tobytes())
        lists = {name: stored[name].tolist() for name in stored.files if name != "names"}
    known: dict[str, Term] = {}
    terms = _Terms(
        roles=tuple(_term(term, known) for term in names["roles"]),
        fluents=tuple(_term(term, known) for term in names["fluents"]),
        moves=tuple(tuple(_term(term, known) for term in of_role) for of_role in names["moves"]),
        percepts=tuple(tuple(_term(term, known) for term in told) for told in names["percepts"]),
    )
    prefix = "reachable_"
    reachable = {name.removeprefix(prefix): values for name, values in lists.items() if name.startswith(prefix)}
    circuit = _circuit(terms, lists, names["passes"])
    if reachable:
        circuit = replace(circuit, reachable=_circuit(terms, reachable, names["reachable_passes"]))
    return circuit, names["report"]


@dataclass(frozen=True, slots=True)
class _Terms:
    roles: tuple[Term, ...]
    fluents: tuple[Term, ...]
    moves: tuple[tuple[Term, ...], ...]
    percepts: tuple[tuple[Term, ...], ...]


def _circuit(terms: _Terms, lists: dict[str, Any], passes: list[dict[str, Any]]) -> Circuit:
    inputs, legal, percepts = iter(lists["inputs"]), iter(lists["legal"]), iter(lists["percepts"])
    terminal, turns = lists["single"]
    return Circuit(
        roles=terms.roles,
        fluents=terms.fluents,
        moves=terms.moves,
        initial=tuple(lists["initial"]),
        gate_inputs=tuple(tuple(next(inputs) for _ in range(size)) for size in lists["sizes"]),
        loops=tuple(Loop(*loop) for loop in lists["loops"]),
        next=tuple(lists["next"]),
        legal=tuple(tuple(next(legal) for _ in of_role) for of_role in terms.moves),
        terminal=terminal,
        goals=tuple(tuple((value, literal) for of, value, literal in lists["goals"] if of == role)
                    for role in range(len(terms.roles))),
        percepts=tuple(tuple((term, next(percepts)) for term in told) for told in terms.percepts),
        turns=turns,
        phases=tuple(tuple(phase) for phase in lists["phases"]),
        agreements=tuple((fluent, literal) for fluent, literal in lists["agreements"]),
        passes=tuple(Pass(**did) for did in passes),
    )


def _numbers(values: Sequence[Any]) -> NDArray[np.int64]:
    return np.array(values, dtype=np.int64)


def _plain(term: Term) -> Any:
    """A ground term as nested lists: `(cell 1 1 x)` is ["cell", "1", "1", "x"]."""
    if not term.args:
        return term.name
    return [term.name, *(_plain(argument) for argument in term.args if isinstance(argument, Term))]


def _term(plain: Any, known: dict[str, Term]) -> Term:
    if isinstance(plain, str):
        if plain not in known:
            known[plain] = Term(plain)
        return known[plain]
    return Term(plain[0], tuple(_term(argument, known) for argument in plain[1:]))
