"""How a Monte-Carlo tree search behaves: every option and what it means.

In the literature: UCT (Kocsis, Szepesvári 2006); MAST (Finnsson, Björnsson 2008); NST (Tak, Winands, Björnsson 2012)
with decay (the same, 2014); decisive moves (Teytaud, Teytaud 2010); RAVE and priors (Gelly, Silver 2007); sufficiency
(Gudmundsson, Björnsson 2013); early cutoff (Lorentz 2008); virtual loss (Chaslot, Winands, van den Herik 2008).
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Literal, Self

if TYPE_CHECKING:
    from ludorum._core import TreeOptions


@dataclass(kw_only=True)
class TreeSettings:
    """The options of a tree search; each composes with the others.

    Values are goals divided by 100. The defaults are plain UCT.
    """

    #: How much a move that was tried seldom gains: this times sqrt(log(visits of the state) / visits of the move).
    exploration: float = 0.4
    #: How many threads share the tree.
    threads: int = 1
    #: The same seed makes the same choices for a fixed number of playouts on one thread, on every machine.
    seed: int | None = None

    #: How playouts choose: `uniform`, by the mean results of moves (`mast`), of sequences of up to three (`nst`), or of
    #: moves and of replies to them (`replies`), in all lanes at once.
    policy: Literal["uniform", "mast", "nst", "replies"] = "uniform"
    #: By `epsilon` (the best move but for a part of the time) or by Gibbs' measure, `gibbs`.
    choice: Literal["epsilon", "gibbs"] = "epsilon"
    #: The part of the choices that are made uniformly.
    epsilon: float = 0.2
    #: Of Gibbs' measure: the lower, the greedier.
    temperature: float = 0.1
    #: What is kept of the policy's counts when a move was made on the board.
    decay: float = 1.0
    #: A sequence of two or three moves counts when it was seen so often.
    ngram_visits: int = 7
    #: Whether playouts make moves that win at once and avoid those that lose at once, where the circuit can tell.
    decisive: bool = False

    #: Whether moves that came later in playouts count for a state too: `never`, `always`, or `adaptive`, while that
    #: has overrated moves in more playouts than it has underrated them.
    rave: Literal["never", "always", "adaptive"] = "never"
    #: The visits at which later moves still count for half: the larger, the longer they matter.
    rave_equivalence: float = 700.0
    #: For `adaptive`: by how much a later value must be above the other to count as overrated.
    rave_margin: float = 0.0

    #: Whether exploration ends where a move is good enough: `never`, above `sufficient` (`fixed`), or `adaptive`,
    #: with a chance that grows with how good it is compared with what was seen so far.
    sufficiency: Literal["never", "fixed", "adaptive"] = "never"
    #: For `fixed`: the value above which a move is good enough.
    sufficient: float = 0.6

    #: Moves of a new state begin as if they had been tried so often, with what the evaluation says of their successors.
    prior_visits: int = 0
    #: Playouts end after so many steps, with what the evaluation says of the state; `None` means that they go on.
    cutoff: int | None = None

    #: Whether what is certain is told from what is likely: proved values decide, and are not searched again.
    proofs: bool = True

    #: How many leaves are played at once in a thread; 0 means as many as there are lanes, and fewer in a small tree.
    in_flight: int = 0
    #: How much of a leaf in flight counts as a loss; 0 counts it as a visit only.
    virtual_loss: float = 1.0
    #: A move gets a node of its own when it is tried for this time; 0 means the second, and in a large tree up to
    #: the eighth, the later the more leaves are in flight.
    expand_at: int = 0
    #: How many games a machine word holds: 64, 256 or 512; 0 means what is fastest here, or 256 with a seed.
    lanes: int = 0
    #: A playout is cut after so many steps.
    max_steps: int = 10_000
    #: What the tree may take; where it is full it no longer grows.
    memory_mb: int = 1024

    def __post_init__(self) -> None:
        for field in fields(TreeSettings):
            allowed = _CHOICES.get(field.name)
            value = getattr(self, field.name)
            if allowed and value not in allowed:
                raise ValueError(f"{field.name} can be {', '.join(allowed)}, not {value!r}")
        for name, low, high in _RANGES:
            value = getattr(self, name)
            if value is not None and not low <= value <= high:
                raise ValueError(f"{name} must be between {low:g} and {high:g}, not {value:g}")
        if self.lanes not in (0, 64, 256, 512):
            raise ValueError(f"lanes can be 0, 64, 256 or 512, not {self.lanes}")

    @property
    def needs_evaluation(self) -> bool:
        return self.prior_visits > 0 or self.cutoff is not None

    @property
    def has_statistics(self) -> bool:
        """Whether moves have statistics of their own, which symmetries would mix up."""
        return self.rave != "never" or self.policy != "uniform"

    @classmethod
    def of(cls, other: TreeSettings) -> Self:
        """The same options without whatever a subclass has added."""
        return cls(**{field.name: getattr(other, field.name) for field in fields(TreeSettings)})

    def for_core(self) -> TreeOptions:
        """As the core takes them; the seed, the lanes and what depends on the game are for the search to find."""
        from ludorum._core import TreeOptions

        options = TreeOptions()
        for field in fields(TreeSettings):
            if field.name not in ("seed", "memory_mb"):
                setattr(options, field.name, getattr(self, field.name))
        options.memory = self.memory_mb << 20
        return options


_CHOICES = {
    "policy": ("uniform", "mast", "nst", "replies"),
    "choice": ("epsilon", "gibbs"),
    "rave": ("never", "always", "adaptive"),
    "sufficiency": ("never", "fixed", "adaptive"),
}

_RANGES = [
    ("exploration", 0, 1e6), ("virtual_loss", 0, 1e6), ("threads", 1, 1024), ("in_flight", 0, 65536),
    ("expand_at", 0, 1e9), ("epsilon", 0, 1), ("decay", 0, 1), ("temperature", 1e-6, 1e6), ("ngram_visits", 0, 1e9),
    ("rave_equivalence", 1e-6, 1e12), ("rave_margin", -1, 1), ("sufficient", -1, 2), ("max_steps", 1, 2**31 - 1),
    ("memory_mb", 1, 1 << 20), ("prior_visits", 0, 1e6), ("cutoff", 0, 2**31 - 1),
]
