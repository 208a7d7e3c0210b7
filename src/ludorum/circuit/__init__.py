"""From a ground program to a circuit: one optimisation pass a file."""

from ludorum.circuit.circuit import Circuit, Loop, Pass
from ludorum.circuit.compiling import compile_circuit

__all__ = ["Circuit", "Loop", "Pass", "compile_circuit"]
