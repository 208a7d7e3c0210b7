"""How a net learns: every option and what it means."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnSettings:
    """The options of learning. All of it is measured in work, so that a run can be repeated and resumed exactly."""

    seed: int = 0
    #: The neurons of the two hidden layers.
    hidden1: int = 64
    hidden2: int = 32
    #: Games of a generation: so many are played, then the net learns from them.
    games: int = 1024
    #: How much of a target is what came later, rather than what the best successor seemed to be worth.
    lambda_: float = 0.85
    #: Of the soft-max by which moves are chosen: the lower, the greedier.
    temperature: float = 0.5
    #: The part of the moves that are any.
    epsilon: float = 0.05
    #: At most so many turns at the beginning of a game are made at random.
    random_steps: int = 4
    #: Then a game is cut.
    max_steps: int = 500
    #: States of a step of training, at most, and how far it goes; the rate falls with the root of the generations.
    batch: int = 256
    rate: float = 2e-3
    rate_falls_after: int = 64
    #: What is kept of the mean of the last nets, from generation to generation; that mean is who is tried.
    averaging: float = 0.9
    #: After so many generations the net is tried against the best so far, in at most so many pairs of matches.
    gate_every: int = 16
    gate_pairs: int = 400
    #: From this generation on, so many games more are played by a tree search that asks the net, with so many playouts
    #: a move; what the tree finds, and what it proves, are targets too.
    tree_after: int = 512
    tree_games: int = 16
    tree_playouts: int = 200

    def __post_init__(self) -> None:
        if self.hidden1 % 32 or not 32 <= self.hidden1 <= 256:
            raise ValueError(f"hidden1 can be 32, 64, … 256, not {self.hidden1}")
        if self.hidden2 not in (16, 32, 64):
            raise ValueError(f"hidden2 can be 16, 32 or 64, not {self.hidden2}")
        for name in ("games", "max_steps", "batch", "rate_falls_after", "gate_every", "gate_pairs"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be at least 1")
        for name in ("lambda_", "epsilon", "averaging"):
            if not 0 <= getattr(self, name) <= 1:
                raise ValueError(f"{name} must be from 0 to 1")
        if self.temperature <= 0 or self.rate <= 0:
            raise ValueError("temperature and rate must be more than 0")
