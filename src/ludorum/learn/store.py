"""Nets that were learned, kept in the user's cache under the hash of their game's rules.

LUDORUM_CACHE names another folder, or `off`. A net that cannot be read is as good as none.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from ludorum.circuit.cache import folder
from ludorum.evaluate import EvaluationSettings, StateEvaluation
from ludorum.game import Game
from ludorum.gdl import to_kif
from ludorum.learn.network import NetShape, Network


def rules_hash(game: Game) -> str:
    """The same for the same rules, and for no others."""
    return hashlib.sha256(to_kif(game.rules).encode()).hexdigest()


def fluents_hash(game: Game) -> str:
    """The fluents that a net's columns belong to, in their order: another compiler may find others."""
    return hashlib.sha256("\n".join(map(str, game.circuit.fluents)).encode()).hexdigest()


def to_bytes(game: Game, network: Network, told: dict[str, Any]) -> bytes:
    """A net as a file."""
    shape = network.shape
    head = {"rules": rules_hash(game), "fluents": fluents_hash(game), "told": told,
            "shape": [shape.fluents, shape.roles, shape.outputs, shape.hidden1, shape.hidden2]}
    out = io.BytesIO()
    np.savez(out, head=np.array(json.dumps(head)), parameters=network.parameters)
    return out.getvalue()


def from_bytes(game: Game, data: bytes) -> tuple[Network, dict[str, Any]] | None:
    """The net of a file with what is told of it; None if it is of other rules, or no net."""
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as kept:
            head = json.loads(str(kept["head"]))
            shape, parameters = NetShape(*map(int, head["shape"])), kept["parameters"].astype(np.float32)
        if head["rules"] != rules_hash(game) or head["fluents"] != fluents_hash(game) or len(parameters) != shape.size:
            return None
        return Network(shape, parameters), dict(head["told"])
    except (OSError, ValueError, KeyError, TypeError, EOFError):
        return None


def write(place: Path, data: bytes) -> None:
    """All of it or nothing, however it ends."""
    place.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=place.parent, prefix=place.name, suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.replace(name, place)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def place_of(game: Game) -> Path | None:
    """Where the net of a game is kept; None if nets are not."""
    base = folder()
    return None if base is None else base / "nets" / f"{rules_hash(game)}.npz"


def keep_net(game: Game, network: Network, told: dict[str, Any]) -> Path | None:
    """Keeps the net of a game for players; where, or None if nothing is kept here."""
    place = place_of(game)
    if place is not None:
        write(place, to_bytes(game, network, told))
    return place


def find_net(game: Game) -> tuple[Network, dict[str, Any]] | None:
    """The net that was learned for a game, with what is told of it; None if there is none."""
    place = place_of(game)
    try:
        return None if place is None or not place.is_file() else from_bytes(game, place.read_bytes())
    except OSError:
        return None


def net_evaluation(game: Game, network: Network, told: dict[str, Any] | None = None) -> StateEvaluation:
    """A net as players take evaluations."""
    return StateEvaluation(game, network.evaluation(), EvaluationSettings(), {"net": told or {}})
