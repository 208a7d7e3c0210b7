"""The player that counts how far the conditions of its goals are met.

In the literature: Toss (Kaiser, Stafiniak 2011).
"""

from __future__ import annotations

from typing import Literal

from ludorum.players.flux import Flux


class Toss(Flux):
    """Alpha-beta search that evaluates states by counting, as the player of the same name did.

    It thinks for `seconds`, or to a `depth`, or until it has looked at a number of `states`. With form="goals" it
    counts the steps towards goals, each worth `alpha` times the next; with form="moves" the lines that can still be
    completed, by how many of their parts are there, to the `power`; with form="auto" the latter where moves are free
    and take nothing away. With `nonuniform` promising moves are searched deeper. Where the game is too large for a
    circuit, or the time too short, it plays like `Minimax`.
    """

    def __init__(self, seconds: float = 1.0, *, depth: int | None = None, states: int | None = None,
                 alpha: float = 0.5, power: int = 4, form: Literal["auto", "goals", "moves"] = "auto",
                 nonuniform: bool = False, table_mb: int = 64, openings: int = 0, seed: int = 0,
                 proofs: bool = True) -> None:
        said = {name: value for name, value in locals().items() if name not in ("self", "__class__")}
        defaults = {**(Toss.__init__.__kwdefaults__ or {}), "seconds": None}
        super().__init__(seconds, depth=depth, states=states, goals=0, counting=1.0, counting_form=form, alpha=alpha,
                         power=power, nonuniform=nonuniform, table_mb=table_mb, openings=openings, seed=seed,
                         proofs=proofs)
        self._said = {name: value for name, value in said.items() if value != defaults[name]}

    def __repr__(self) -> str:
        return f"Toss({', '.join(f'{name}={value!r}' for name, value in self._said.items())})"
