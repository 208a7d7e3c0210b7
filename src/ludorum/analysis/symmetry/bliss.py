"""The only door to igraph, whose BLISS finds the automorphisms of graphs.

This file is run as a program, in a process of its own that can be killed (see `automorphisms`): BLISS cannot be
interrupted, and some graphs take it for ever. It therefore imports nothing of Ludorum. Nor does it import igraph as
others do, which takes a second for all that there is beside BLISS: its compiled part has it, and is loaded alone.
"""

from __future__ import annotations

import marshal
import resource
import sys
from array import array
from importlib.machinery import ExtensionFileLoader
from importlib.util import module_from_spec, spec_from_file_location
from typing import Any


def igraph(path: str) -> Any:
    """The compiled part of igraph, by its path."""
    spec = spec_from_file_location("_igraph", path, loader=ExtensionFileLoader("_igraph", path))
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main() -> None:
    """Reads a directed graph and its colourings; for each writes the order of the group and generators of it."""
    memory, seconds = map(int, sys.argv[2:4])
    graphs = igraph(sys.argv[1])
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    # So long it may take of the processor, however busy that is.
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    request = marshal.load(sys.stdin.buffer)
    ends = array("i", request["edges"])
    graph = graphs.GraphBase(request["vertices"], list(zip(ends[::2], ends[1::2], strict=True)), directed=True)
    for colours in request["colourings"]:
        numbers = list(array("i", colours))
        generators = graph.automorphism_group(color=numbers)
        found = [array("i", generator).tobytes() for generator in generators]
        marshal.dump((graph.count_automorphisms(color=numbers), found), sys.stdout.buffer)
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
