"""What a net brings: its kernel, self-play, and matches against other evaluations at equal time or equal playouts.

    python bench/learned.py kernel                    # equal to the definition, and states a second
    python bench/learned.py play                      # games of self-play a second of CPU time
    python bench/learned.py match breakthrough mcts:evaluation=net,prior_visits=64 mcts --seconds 0.1 --pairs 20
    python bench/learned.py kill tictactoe            # killed at random moments and resumed: the same net
    python bench/learned.py solved connectfour        # the signs of a net's values beside those of alpha-beta, 5×4
"""

from __future__ import annotations

import argparse
import hashlib
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import ludorum
from ludorum import _core
from ludorum.absent import Absent
from ludorum.analysis.samples import samples
from ludorum.clock import Budget, Deadline
from ludorum.engines.abilities import Simulates
from ludorum.game import Game
from ludorum.joint import goes_on
from ludorum.learn import LearnSettings, Network, learn, net_evaluation
from ludorum.learn.beginning import beginning
from ludorum.learn.learning import read_net
from ludorum.learn.network import NetShape
from ludorum.players import MCTS, Flux, join_match, named
from ludorum.players.pregame import named_evaluation_in_time
from ludorum.search.minimax import MinimaxSearch
from ludorum.sequential import Hypotheses, interval

GAMES = ("breakthrough", "knightthrough", "othello", "checkers", "connectfour", "tictactoe", "skirmish", "pentago",
         "quad", "hex", "merrills", "pawnwhopping", "eightpuzzle", "tron", "rockpaperscissors", "hexapawn", "chomp",
         "nim", "amazons6", "sheepandwolf", "dotsandboxes", "blocker", "pegsolitaire", "quarto", "chinesecheckers")
STATES = 5000


def random_network(game: Game, seed: int) -> Network:
    shape = NetShape(len(game.circuit.fluents), len(game.roles), len(game.roles), 64, 32)
    return Network(shape, np.random.default_rng(seed).normal(0, 0.2, shape.size).astype(np.float32))


def kernel() -> None:
    states = games = 0
    for name in GAMES:
        try:
            game = ludorum.load(name)
            game.circuit  # noqa: B018 (raises where there is none)
        except ludorum.errors.LudorumError:
            continue
        found = samples(game, STATES)
        network = random_network(game, 1)
        expected = network.evaluation().outputs(found.rows, is_plain=True)
        order = np.argsort(found.parents, kind="stable")
        order = order[found.parents[order] >= 0]
        rows, parents = np.ascontiguousarray(found.rows[order]), found.parents[order].astype(np.uint32)
        for instructions in _core.net_instructions():
            core = network.evaluation(instructions)
            assert (core.outputs(found.rows) == expected).all(), (name, instructions)
            assert (core.outputs_after(rows, found.rows, parents) == expected[order]).all(), (name, instructions)
        states, games = states + len(found), games + 1
    print(f"equal to the definition: {states} states of {games} games, each with {_core.net_instructions()}")
    for name in ("breakthrough", "checkers", "othello"):
        game = ludorum.load(name)
        rows = np.tile(samples(game, STATES).rows, (20, 1))
        network = beginning(game, LearnSettings(), Budget()).network
        for instructions in _core.net_instructions():
            core = network.evaluation(instructions)
            begin = time.process_time()
            core.outputs(rows)
            print(f"{name:14} {instructions:8} {len(rows) / (time.process_time() - begin) / 1e6:6.2f} M states/s")


def self_play() -> None:
    for name in ("breakthrough", "othello", "connectfour", "checkers"):
        game = ludorum.load(name)
        reasoner, net = game.reasoner, beginning(game, LearnSettings(), Budget()).network.evaluation()
        assert isinstance(reasoner, Simulates)
        simulator, start = reasoner.simulator(), reasoner.row(game.initial.position)
        begin = time.process_time()
        found = _core.self_play(simulator, net, start, 8192, 1)
        seconds = time.process_time() - begin
        print(f"{name:14} {8192 / seconds:9.0f} games/s {found[4] / seconds / 1e6:6.2f} M evaluations/s of CPU time")


def opening(game: Game, rng: random.Random) -> ludorum.State:
    state = game.initial
    for _ in range(4):
        later = state.after({role: rng.choice(state.legal(role)) for role in game.roles})
        if not goes_on(later):
            break
        state = later
    return state


def match(name: str, one: str, other: str, seconds: float | None, pairs: int, seed: int) -> None:
    game, rng, scores = ludorum.load(name), random.Random(seed), []
    options = {} if seconds is None else {"seconds": seconds}
    players = [named(spec, **options) for spec in (one, other)]
    for player in players:
        kind = getattr(player, "evaluation", "plain")
        if kind not in ("plain", "rules"):
            made = named_evaluation_in_time(kind, game, Deadline.within(60))
            assert not isinstance(made, Absent), made
            if isinstance(player, MCTS):
                player.evaluate_by(made.core)
            elif isinstance(player, Flux):
                player.evaluate_by(made)
    for _ in range(pairs):
        start, both = opening(game, rng), 0.0
        for seat in game.roles:
            state = start
            seated = {role: join_match(players[0 if role == seat else 1], game, role) for role in game.roles}
            while goes_on(state):
                limit = Deadline.within(None if seconds is None else 3 * seconds)
                state = state.after({role: playing.move(state, limit)
                                     if len(state.legal(role)) > 1 else state.legal(role)[0]
                                     for role, playing in seated.items()})
            for playing in seated.values():
                playing.finish()
            others = [state.goals[role] or 0 for role in game.roles if role != seat]
            both += 0.5 + ((state.goals[seat] or 0) - sum(others) / len(others)) / 200
        scores.append(both / len(game.roles))
        low, high = interval(scores)
        print(f"\r{len(scores)} pairs: {sum(scores) / len(scores):.1%} ({low:.0%} to {high:.0%}), "
              f"{Hypotheses(0, 100).verdict(scores)} ", end="", flush=True)
    print(f" {name}: {one} against {other}")


def kill(name: str, times: int = 10) -> None:
    program = str(Path(sys.executable).with_name("ludorum"))
    command = [program, "learn", name, "--games", "40000", "--no-keep", "--resume"]
    with tempfile.TemporaryDirectory() as folder:
        begin = time.monotonic()
        subprocess.run([*command, f"{folder}/whole"], check=True, capture_output=True)
        whole, killed, rng = time.monotonic() - begin, 0, random.Random(1)
        while killed < times:
            process = subprocess.Popen([*command, f"{folder}/broken"], stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL)
            try:
                process.wait(rng.uniform(0.1, 0.6) * whole)
                break
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
                process.wait()
                killed += 1
        subprocess.run([*command, f"{folder}/broken"], check=True, capture_output=True)
        game = ludorum.load(name)
        nets = [read_net(game, Path(folder) / run) for run in ("whole", "broken")]
        digests = [hashlib.sha256(net[0].parameters.tobytes()).hexdigest()[:16] for net in nets if net]
        print(f"{name}: killed {killed} times; {digests}: {'the same' if digests[0] == digests[1] else 'DIFFERENT'}")


def smaller(name: str) -> Game:
    """Breakthrough on 5×5 and connect four on 5×4, which can be solved: the library's rules with fewer numbers."""
    text = (Path(ludorum.__file__).parent / "library" / "games" / f"{name}.kif").read_text(encoding="utf-8")
    if name == "connectfour":
        dropped = ["(column 6)", "(column 7)", "(row 5)", "(row 6)", "(succ 5 6)", "(succ 6 7)"]
        renamed = [("?x 6 blank", "?x 4 blank")]
    else:
        dropped = ["(index 6)", "(index 7)", "(index 8)", "(succ 5 6)", "(succ 6 7)", "(succ 7 8)", "(row 6 blank)",
                   "(row 7 black)", "(row 8 black)"]
        renamed = [("(row 4 blank)", "(row 4 black)"), ("(row 5 blank)", "(row 5 black)"), ("?x 8 white", "?x 5 white")]
    for part in dropped:
        text = text.replace(part, "")
    for before, after in renamed:
        assert before in text
        text = text.replace(before, after)
    return ludorum.load(text)


def solved(name: str, games: int, positions: int) -> None:
    game = smaller(name)
    run = learn(game, LearnSettings(random_steps=8), games=games)
    found = samples(game, 100_000)
    going_on = np.flatnonzero(~found.terminal & found.choices.all(axis=1))
    _, first = np.unique(found.rows[going_on], axis=0, return_index=True)
    chosen = np.random.default_rng(1).permutation(going_on[first])[:positions]
    search, role = MinimaxSearch(game, table_mb=512), game.roles[0]
    reasoner = game.reasoner
    assert isinstance(reasoner, Simulates)
    values = net_evaluation(game, run.candidate).core.evaluate(reasoner.simulator(), found.rows[chosen])[:, 0]
    right = seen = drawn = unsolved = 0
    for worth, index in zip(values, chosen, strict=True):
        result = search.search(game.state(found.state(int(index))), states=2_000_000)
        exact = result.values[role]
        if not result.is_proved or exact is None:
            unsolved += 1
        elif exact == 50:
            drawn += 1
        else:
            seen += 1
            right += (worth > 50) == (exact > 50)
    print(f"{name}, small: {run.progress.games} games; of {len(chosen)} positions {unsolved} not solved, {drawn} "
          f"drawn; {right} of {seen} signs right ({right / max(1, seen):.1%})")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["kernel", "play", "match", "kill", "solved"])
    parser.add_argument("arguments", nargs="*")
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--pairs", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", type=int, default=200_000)
    parser.add_argument("--positions", type=int, default=1000)
    told = parser.parse_args()
    if told.what == "kernel":
        kernel()
    elif told.what == "play":
        self_play()
    elif told.what == "match":
        name, one, other = told.arguments
        match(name, one, other, told.seconds, told.pairs, told.seed)
    elif told.what == "kill":
        kill(told.arguments[0])
    else:
        solved(told.arguments[0], told.games, told.positions)


if __name__ == "__main__":
    main()
