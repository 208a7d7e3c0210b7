"""A run of learning: generations of games and of training, tried from time to time against the best so far.

A generation is a function of the run before it: the seed, the number of the generation and the parameters. So a run
that was killed and goes on from its last checkpoint comes to the same net, bit for bit, on one thread or several.

In the literature: TD(λ) by self-play (Tesauro 1995); targets from the tree as in Descent (Cohen-Solal 2020).
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludorum import _core
from ludorum.clock import NEVER, Budget, Deadline
from ludorum.crew import Crew
from ludorum.engines.abilities import Simulates
from ludorum.errors import CannotLearn, InvalidRecord
from ludorum.game import Game
from ludorum.gdl.words import RANDOM
from ludorum.learn.beginning import beginning
from ludorum.learn.gate import Arena, GateResult
from ludorum.learn.network import NetShape, Network
from ludorum.learn.self_play import CrewPlay, SelfPlay, Table
from ludorum.learn.settings import LearnSettings
from ludorum.learn.store import from_bytes, rules_hash, to_bytes, write

# A run is kept so often, in generations, and at the end.
_CHECKPOINT_EVERY = 8
_STATE, _NET = "state.npz", "net.npz"
# A pass of training makes so many steps at least, unless that would leave fewer states for each than this.
_LEAST_STEPS, _LEAST_BATCH = 64, 32


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is."""

    generation: int
    games: int
    states: int
    #: States that the net was asked about.
    evaluations: int
    #: The mean loss of the last generation: cross entropy, a role.
    loss: float
    #: The generation that plays, 0 for the weights of fluents; and how often a net was tried.
    champion: int
    gates: int


class Learning:
    """A net that learns a game.

    Raises CannotLearn for games with secrets and for those that have no circuit.
    """

    def __init__(self, game: Game, settings: LearnSettings | None = None, *, threads: int = 1,
                 crew: Crew | None = None, deadline: Deadline = NEVER) -> None:
        self.game, self.settings, self.threads = game, settings or LearnSettings(), threads
        self._prepare()
        begun = beginning(game, self.settings, Budget(deadline=deadline))
        self._inputs, self._ties = begun.inputs, begun.ties
        self.shape: NetShape = begun.network.shape
        #: Who plays the games: this process, or a crew.
        self.self_play: SelfPlay = (Table(game, self.settings, threads) if crew is None else
                                    CrewPlay(crew, game, self.settings, self.shape))
        self._parameters = begun.network.parameters.copy()
        self._average = self._parameters.copy()
        self._first_moments, self._second_moments = np.zeros_like(self._average), np.zeros_like(self._average)
        self._steps = 0
        #: What plays: the mean of the last nets that won its trial; at first the weights of fluents.
        self.champion = begun.network
        self.first = begun.network
        self.progress = Progress(0, 0, 0, 0, 0.0, 0, 0)
        #: Of every trial the generation, what it scored against the best so far, and against the first.
        self.trials: list[dict[str, float]] = []

    def _prepare(self) -> None:
        game, reasoner = self.game, self.game.reasoner
        game.circuit  # noqa: B018 (raises NoCircuit, which says why)
        assert isinstance(reasoner, Simulates)
        refuse(game)
        self._simulator = reasoner.simulator()
        self._start = reasoner.row(game.initial.position)
        self._chance = game.roles.index(game.role(RANDOM)) if RANDOM in game.roles else -1

    @property
    def arena(self) -> Arena:
        return Arena(self._simulator, self._start, len(self.game.roles), self._chance, self.settings.max_steps,
                     self.threads)

    @property
    def candidate(self) -> Network:
        """Who is tried next: the mean of the last nets."""
        return Network(self.shape, self._average.copy())

    def generation(self) -> Progress:
        """One generation: games, training, and a trial if it is time for one."""
        settings, now = self.settings, self.progress
        number = now.generation + 1
        seed = _seed(settings.seed, number)
        played = self.self_play.generation(Network(self.shape, self._parameters), seed,
                                           with_trees=number > settings.tree_after)
        loss = self._train(played.rows, played.targets, number, seed)
        kept = settings.averaging
        self._average = (kept * self._average + (1 - kept) * self._parameters).astype(np.float32)
        self.progress = Progress(number, now.games + played.games, now.states + len(played.rows),
                                 now.evaluations + played.evaluations, loss, now.champion, now.gates)
        if number % settings.gate_every == 0:
            self.try_candidate()
        return self.progress

    def try_candidate(self) -> GateResult:
        """The mean of the last nets takes the champion's place if it beats it in the sequential test."""
        now, arena, candidate = self.progress, self.arena, self.candidate
        seed = _seed(self.settings.seed, now.generation) ^ 1
        core = candidate.evaluation()
        found = arena.test(core, self.champion.evaluation(), self.settings.gate_pairs, seed)
        against_first = arena.scores(core, self.first.evaluation(), min(50, self.settings.gate_pairs), seed + 7)
        if found.verdict == "better":
            self.champion = candidate
        self.trials.append({"generation": now.generation, "games": now.games, "loss": now.loss, "score": found.score,
                            "low": found.low, "high": found.high, "pairs": found.pairs,
                            "is_better": float(found.verdict == "better"),
                            "against_first": sum(against_first) / len(against_first)})
        self.progress = Progress(now.generation, now.games, now.states, now.evaluations, now.loss,
                                 now.generation if found.verdict == "better" else now.champion, now.gates + 1)
        return found

    def _train(self, rows: NDArray[np.uint64], targets: NDArray[np.float32], number: int, seed: int) -> float:
        settings, shape = self.settings, self.shape
        rate = settings.rate / (1 + number / settings.rate_falls_after) ** 0.5
        # Where games are short there are few states: still enough steps must be made with them.
        batch = min(settings.batch, max(_LEAST_BATCH, len(rows) // _LEAST_STEPS))
        loss = _core.train(shape.fluents, shape.outputs, shape.hidden1, shape.hidden2, self._parameters,
                           self._first_moments, self._second_moments, rows, targets, batch, rate, seed,
                           self._steps, self._inputs, self._ties)
        self._steps += -(-len(rows) // batch)
        return loss

    # ---- kept and resumed ----

    def save(self, folder: Path) -> None:
        """All that the run knows, written so that a kill at any moment loses at most what came after the last time."""
        head = {"rules": rules_hash(self.game), "settings": asdict(self.settings), "progress": asdict(self.progress),
                "trials": self.trials, "steps": self._steps}
        out = io.BytesIO()
        np.savez(out, head=np.array(json.dumps(head)), parameters=self._parameters, average=self._average,
                 first_moments=self._first_moments, second_moments=self._second_moments,
                 champion=self.champion.parameters, first=self.first.parameters)
        write(folder / _STATE, out.getvalue())
        write(folder / _NET, to_bytes(self.game, self.champion, self.told))

    def resume(self, folder: Path) -> bool:
        """Goes on where a run in this folder was; False if there is none. Raises InvalidRecord for that of other rules
        or settings."""
        place = folder / _STATE
        if not place.is_file():
            return False
        try:
            with np.load(io.BytesIO(place.read_bytes()), allow_pickle=False) as kept:
                head: dict[str, Any] = json.loads(str(kept["head"]))
                rows = [kept[name].astype(np.float32) for name in
                        ("parameters", "average", "first_moments", "second_moments", "champion", "first")]
            progress = Progress(**head["progress"])
        except (OSError, ValueError, KeyError, TypeError, EOFError) as error:
            raise InvalidRecord(f"{place} is no run of learning: {error}") from error
        if head["rules"] != rules_hash(self.game):
            raise InvalidRecord(f"{place} is a run of another game than {self.game.name}")
        if head["settings"] != asdict(self.settings):
            raise InvalidRecord(f"{place} is a run with other settings")
        if any(len(row) != self.shape.size for row in rows):
            raise InvalidRecord(f"{place} has a net of another shape")
        self._parameters, self._average, self._first_moments, self._second_moments = rows[:4]
        self.champion, self.first = Network(self.shape, rows[4]), Network(self.shape, rows[5])
        self.progress, self.trials, self._steps = progress, list(head["trials"]), int(head["steps"])
        return True

    @property
    def told(self) -> dict[str, Any]:
        """What is told of the champion."""
        return {"generation": self.progress.champion, "games": self.progress.games, "seed": self.settings.seed}


def refuse(game: Game) -> None:
    """Raises CannotLearn for games that a net over fluents is no help in, and says why."""
    from ludorum.belief import has_secrets

    if has_secrets(game):
        raise CannotLearn(f"{game.name} has secrets: nobody who plays knows the state that a net would judge")
    if game.initial.is_terminal or not all(game.initial.legal(role) for role in game.roles):
        raise CannotLearn(f"{game.name} is over before it begins")


def learn(game: Game, settings: LearnSettings | None = None, *, games: int | None = None,
          deadline: Deadline = NEVER, threads: int = 1, crew: Crew | None = None, folder: Path | None = None,
          watch: Callable[[Learning], None] | None = None) -> Learning:
    """Learns until so many games were played in all, or the deadline has come; goes on with the run in `folder`.

    The games are played by so many threads here, or by a crew, which comes to the same net. `watch` is called after
    every generation. Raises CannotLearn.
    """
    if games is None and deadline.at is None:
        raise ValueError("learning needs a number of games or a deadline")
    run = Learning(game, settings, threads=threads, crew=crew)
    if folder is not None:
        run.resume(folder)
    while not deadline.passed and (games is None or run.progress.games < games):
        run.generation()
        if folder is not None and run.progress.generation % _CHECKPOINT_EVERY == 0:
            run.save(folder)
        if watch is not None:
            watch(run)
    if folder is not None:
        run.save(folder)
    return run


def read_net(game: Game, folder: Path) -> tuple[Network, dict[str, Any]] | None:
    """The net of a run in a folder; None if there is none of this game."""
    place = folder / _NET
    return from_bytes(game, place.read_bytes()) if place.is_file() else None


def _seed(seed: int, number: int) -> int:
    return int(np.random.SeedSequence([seed & (2**63 - 1), number]).generate_state(1, np.uint64)[0])
