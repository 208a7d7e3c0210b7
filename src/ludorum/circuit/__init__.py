"""From a ground program to a circuit: the core optimises, pass by pass; here they are described and reported."""

from ludorum.circuit.circuit import Circuit, Loop, Pass
from ludorum.circuit.compiling import compile_circuit, made_small, specialize
from ludorum.circuit.passes import Assumptions

__all__ = ["Assumptions", "Circuit", "Loop", "Pass", "compile_circuit", "made_small", "specialize"]
