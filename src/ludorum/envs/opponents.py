"""Who plays the other roles of an environment: chance as it comes, and players by their names."""

from __future__ import annotations

from ludorum.clock import NEVER
from ludorum.envs.encoding import Encoding
from ludorum.envs.episode import Episode
from ludorum.errors import LudorumError
from ludorum.players import join_match, named
from ludorum.players.player import Playing


class Opponents:
    """Players of all roles but one. `random` moves come from the match's own seed, so they are repeated with it.

    Any other player thinks without a clock: name how much it may do, as in `mcts:playouts=200`.
    """

    def __init__(self, encoding: Encoding, spec: str, *, but_for: str) -> None:
        self._encoding = encoding
        self._spec = spec
        self._roles = [role for role in encoding.agents if role != but_for]
        self._playing: dict[int, Playing] = {}
        if spec != "random":
            named(spec)
            if encoding.has_secrets:
                raise LudorumError(f"{encoding.game.name} has secrets or chance: here the others move at random")

    def start(self) -> None:
        """A match begins."""
        self.close()
        if self._spec != "random":
            game = self._encoding.game
            self._playing = {self._encoding.roles.index(role): join_match(named(self._spec), game, role)
                             for role in self._roles}

    def choose(self, episode: Episode) -> dict[int, int]:
        """The actions of the opponents that have a choice."""
        if not self._playing:
            return {}
        state = episode.state
        return {number: self._encoding.action(self._encoding.roles[number], self._playing[number].move(state, NEVER))
                for number in episode.choosers if number in self._playing}

    def close(self) -> None:
        for playing in self._playing.values():
            playing.finish()
        self._playing = {}
