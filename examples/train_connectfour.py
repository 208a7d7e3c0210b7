"""Learn connect four by playing it against random moves, 512 matches at once, with nothing but NumPy.

    python examples/train_connectfour.py        less than a minute; says how many matches of 1,000 it wins then

A small net sees what holds and says how likely it makes each move, and what the state is worth. Moves that are not
legal get no probability: that is what the mask is for. After a match every move in it is made likelier or less likely
by how much better than expected the match ended.

In the literature: REINFORCE (Williams 1992) with a learned baseline, steps by Adam (Kingma and Ba 2015).
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from ludorum.envs.gymnasium import GameVectorEnv

Floats = NDArray[np.float32]


@dataclass
class Net:
    """One hidden layer, and from it a score for every move and one number for the state."""

    inputs: int
    moves: int
    hidden: int = 96
    rate: float = 0.003
    seed: int = 1
    weights: list[Floats] = field(init=False)

    def __post_init__(self) -> None:
        rng = np.random.default_rng(self.seed)
        shapes = [(self.inputs, self.hidden), (self.hidden,), (self.hidden, self.moves + 1), (self.moves + 1,)]
        self.weights = [(rng.normal(size=shape) / np.sqrt(shape[0]) if len(shape) == 2 else np.zeros(shape))
                        .astype(np.float32) for shape in shapes]
        self._means = [np.zeros_like(weight) for weight in self.weights]
        self._squares = [np.zeros_like(weight) for weight in self.weights]
        self._steps = 0

    def forward(self, seen: Floats, mask: NDArray[np.int8]) -> tuple[Floats, Floats, Floats]:
        """The hidden layer, the probabilities of moves, and what states are worth."""
        into, bias, out, out_bias = self.weights
        hidden = np.maximum(seen @ into + bias, 0)
        scores = hidden @ out + out_bias
        logits = np.where(mask > 0, scores[:, :-1], -np.inf)
        likely = np.exp(logits - logits.max(axis=1, keepdims=True))
        return hidden, likely / likely.sum(axis=1, keepdims=True), np.tanh(scores[:, -1])

    def learn(self, seen: Floats, mask: NDArray[np.int8], moves: NDArray[np.int64], ends: Floats) -> None:
        """Make the moves of matches that ended well likelier."""
        hidden, likely, worth = self.forward(seen, mask)
        better = ends - worth
        advantage = (better - better.mean()) / (better.std() + 1e-6)
        wrong = likely.copy()
        wrong[np.arange(len(moves)), moves] -= 1
        # A little is paid for trying different moves.
        surprise = np.where(likely > 0, np.log(np.maximum(likely, 1e-9)), 0)
        entropy = -(likely * surprise).sum(axis=1, keepdims=True)
        slope = wrong * advantage[:, None] + 0.01 * likely * (surprise + entropy)
        scores = np.concatenate([slope, (-better * (1 - worth**2))[:, None]], axis=1).astype(np.float32) / len(moves)
        below = (scores @ self.weights[2].T) * (hidden > 0)
        self._descend([seen.T @ below, below.sum(axis=0), hidden.T @ scores, scores.sum(axis=0)])

    def _descend(self, slopes: list[NDArray[np.floating]]) -> None:
        self._steps += 1
        for weight, mean, square, slope in zip(self.weights, self._means, self._squares, slopes, strict=True):
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope**2 - square)
            size = np.sqrt(square / (1 - 0.999**self._steps)) + 1e-8
            weight -= self.rate * (mean / (1 - 0.9**self._steps)) / size


def play(envs: GameVectorEnv, net: Net, rng: np.random.Generator, matches: int, *, learn: bool) -> float:
    """Play so many matches, and learn from them as they end; the share that was won."""
    observed, _ = envs.reset(seed=int(rng.integers(2**31)))
    #: By environment what it saw and did since its match began.
    steps: list[list[tuple[Floats, NDArray[np.int8], int]]] = [[] for _ in range(envs.num_envs)]
    done: list[tuple[list[tuple[Floats, NDArray[np.int8], int]], float]] = []
    played = won = 0
    while played < matches:
        seen, mask = observed["observation"].astype(np.float32), observed["action_mask"]
        _, likely, _ = net.forward(seen, mask)
        # The largest of score plus Gumbel noise is a move by its probability; to show what it knows, the likeliest.
        noise = rng.gumbel(size=likely.shape) if learn else 0.0
        moves = np.where(mask > 0, np.log(np.maximum(likely, 1e-9)) + noise, -np.inf).argmax(axis=1)
        observed, rewards, terminated, truncated, _ = envs.step(moves)
        if learn:
            for i in range(envs.num_envs):
                steps[i].append((seen[i], mask[i], int(moves[i])))
        for i in np.flatnonzero(terminated | truncated).tolist():
            played += 1
            won += int(rewards[i] > 0)
            done.append((steps[i], float(rewards[i])))
            steps[i] = []
        if learn and len(done) >= envs.num_envs:
            flat = [(*step, end) for match, end in done for step in match]
            net.learn(np.stack([step[0] for step in flat]), np.stack([step[1] for step in flat]),
                      np.array([step[2] for step in flat]), np.array([step[3] for step in flat], dtype=np.float32))
            done = []
    return won / played


def train(matches: int = 120_000, seed: int = 1) -> float:
    """Learn from so many matches; the share of 1,000 others that is won then."""
    rng = np.random.default_rng(seed)
    envs = GameVectorEnv("connectfour", 512, role="red", autoreset_mode=AutoresetMode.SAME_STEP)
    net = Net(len(envs.encoding.fluents), len(envs.encoding.moves["red"]), seed=seed)
    while matches > 0:
        share = play(envs, net, rng, min(matches, 10_000), learn=True)
        matches -= 10_000
        print(f"{share:.1%} of the last 10,000 matches won", flush=True)
    return play(envs, net, rng, 1_000, learn=False)


if __name__ == "__main__":
    print(f"{train():.1%} of 1,000 matches won")
