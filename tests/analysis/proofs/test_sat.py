"""The SAT solver that proofs ask."""

from __future__ import annotations

import os
import signal
import threading

import pytest

from ludorum.analysis.proofs.encoding.sat import Solver
from ludorum.clock import Budget


def test_control_c_in_the_midst_of_solving_is_an_interruption_and_no_error() -> None:
    # Twelve pigeons in eleven holes: nobody shows in a moment that they do not fit.
    solver = Solver(Budget.within(60))
    places = [[solver.variable() for _ in range(11)] for _ in range(12)]
    solver.add(*places)
    solver.add(*([-one[hole], -other[hole]] for i, one in enumerate(places) for other in places[:i]
                 for hole in range(11)))
    timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            solver.solve()
    finally:
        timer.cancel()
