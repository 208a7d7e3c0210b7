"""From a ground program to a circuit: one optimisation pass a file."""

from ludorum.circuit.assume import Assumptions
from ludorum.circuit.circuit import Circuit, Loop, Pass
from ludorum.circuit.compiling import assuming, compile_circuit, made_small

__all__ = ["Assumptions", "Circuit", "Loop", "Pass", "assuming", "compile_circuit", "made_small"]
