"""Automorphisms of coloured graphs, within a budget of work and memory."""

from __future__ import annotations

import io
import marshal
import math
import resource
import subprocess
import sys
from array import array
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from importlib.machinery import PathFinder
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from ludorum.clock import Budget
from ludorum.errors import LudorumError

_PROGRAM = Path(__file__).with_name("bliss.py")
Permutation = tuple[int, ...]

# No graph is looked at for longer, and the work of handing one over, for every edge.
_MOST_SECONDS = 600.0
_AN_EDGE = 5e-7


@dataclass
class Graph:
    """A directed graph whose vertices have colours; vertices are numbers from 0."""

    colours: list[Hashable] = field(default_factory=list)
    edges: list[tuple[int, int]] = field(default_factory=list)

    def vertex(self, colour: Hashable) -> int:
        self.colours.append(colour)
        return len(self.colours) - 1

    def edge(self, start: int, end: int) -> None:
        self.edges.append((start, end))

    def is_automorphism(self, permutation: Sequence[int]) -> bool:
        """Whether every vertex takes the place of one of its colour, and every edge that of an edge."""
        images = np.asarray(permutation, dtype=np.int64)
        size = len(self.colours)
        if not np.array_equal(np.sort(images), np.arange(size)):
            return False
        if any(self.colours[image] != colour for image, colour in zip(images.tolist(), self.colours, strict=True)):
            return False
        ends = np.asarray(self.edges, dtype=np.int64).reshape(-1, 2)
        before, after = (np.unique(pairs[:, 0] * size + pairs[:, 1]) for pairs in (ends, images[ends]))
        return np.array_equal(before, after)


@dataclass(frozen=True, slots=True)
class Group:
    """The permutations of vertices that a graph allows."""

    order: int
    generators: tuple[Permutation, ...]


def automorphisms(graph: Graph, colourings: Sequence[Sequence[Hashable]], budget: Budget,
                  memory_mb: int = 2048) -> list[Group]:
    """For each colouring of the vertices its group; those of the first ones where the budget does not suffice."""
    request = {"vertices": len(graph.colours),
               "edges": _packed([end for edge in dict.fromkeys(graph.edges) for end in edge]),
               "colourings": [_packed(_numbered(colours)) for colours in colourings]}
    # Isolated from the user's environment and folder. The work of BLISS is the processor's time.
    seconds = math.ceil(max(1.0, min(_MOST_SECONDS, budget.remaining)))
    command = [sys.executable, "-I", "-S", str(_PROGRAM), _igraph(), str(memory_mb << 20), str(seconds)]
    budget.spend(_AN_EDGE * len(graph.edges))
    before = _spent()
    try:
        answer = subprocess.run(command, input=marshal.dumps(request), stdout=subprocess.PIPE,
                                stderr=subprocess.DEVNULL, timeout=max(0.01, min(_MOST_SECONDS, budget.seconds)),
                                check=False).stdout
    except subprocess.TimeoutExpired as late:
        answer = late.output or b""
    budget.spend(_spent() - before)
    return _read(answer)


def _spent() -> float:
    """The processor's time that processes took which were started here and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _igraph() -> str:
    """Where the compiled part of igraph is."""
    package = find_spec("igraph")
    folders = [] if package is None else package.submodule_search_locations
    compiled = PathFinder.find_spec("_igraph", list(folders or ()))
    if compiled is None or compiled.origin is None:
        raise LudorumError("igraph is not installed: pip install igraph")
    return compiled.origin


def _read(answer: bytes) -> list[Group]:
    """The groups that were written down completely."""
    groups: list[Group] = []
    source = io.BytesIO(answer)
    while True:
        try:
            order, generators = marshal.load(source)
        except (EOFError, ValueError, TypeError):
            return groups
        groups.append(Group(order, tuple(tuple(array("i", generator)) for generator in generators)))


def _numbered(colours: Sequence[Hashable]) -> list[int]:
    # In the order of first sight, which is the same in every run.
    numbers: dict[Hashable, int] = {}
    return [numbers.setdefault(colour, len(numbers)) for colour in colours]


def _packed(numbers: Sequence[int]) -> bytes:
    return array("i", numbers).tobytes()
