"""Threads that are at work in the core when the interpreter ends."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytestmark = pytest.mark.slow

# Each goes on until it is told to stop. The end of the interpreter takes a moment, so that whoever comes back from the
# core meanwhile meets it.
SCRIPT = """
import threading, time, ludorum

class Lingering:
    def __del__(self, sleep=time.sleep):
        sleep(0.3)

lingering = Lingering()
game = ludorum.load({game!r}, engine={engine!r})
begun = threading.Event()

def work():
    begun.set()
    {work}

threading.Thread(target=work, daemon=True).start()
begun.wait()
time.sleep(0.1)
"""

ENDLESS = """
(role walker) (init (at here)) (legal walker stay) (<= (next (at here)) (true (at here)))
(<= terminal (true (at home))) (<= (next (at home)) (true (at home))) (goal walker 0)
"""

# The game, its engine, and what is done.
WORK = {
    "playouts": (ENDLESS, "circuit", "game.playouts(1000, max_steps=2**31 - 1, threads=2)"),
    "tree search": ("connectfour", "circuit", "ludorum.players.MCTS(seconds=1000).move(game.initial, 'red')"),
    "background": (
        "connectfour", "circuit",
        "import numpy; from ludorum.search.settings import TreeSettings; "
        "from ludorum.search.tree import TreeSearch; "
        "search = TreeSearch(game, TreeSettings(cutoff=4), "
        "evaluation=lambda rows: numpy.full((len(rows), 2), 50.0)); "
        "search.look_at(game.initial); search.begin(); time.sleep(1000)"),
    "alpha-beta": (
        "connectfour", "circuit", "from ludorum.search.minimax import MinimaxSearch; MinimaxSearch(game).search()"),
    "relations": (ENDLESS, "relations", "game.playouts(1000, max_steps=2**31 - 1, threads=2)"),
}


@pytest.mark.parametrize("what", WORK)
def test_a_thread_that_is_left_at_work_does_not_disturb_the_end(what: str) -> None:
    game, engine, work = WORK[what]
    script = SCRIPT.format(game=game, engine=engine, work=work)
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120)
    assert (ended.returncode, ended.stderr) == (0, "")


def test_a_process_that_was_forked_meanwhile_ends_too() -> None:
    game, engine, work = WORK["playouts"]
    script = SCRIPT.format(game=game, engine=engine, work=work) + """
import os, sys
if (child := os.fork()) == 0:
    sys.exit(7)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
"""
    # Later Pythons warn of forking beside threads.
    ended = subprocess.run([sys.executable, "-W", "ignore", "-c", script], capture_output=True, text=True, timeout=120)
    assert (ended.returncode, ended.stderr) == (0, "")
