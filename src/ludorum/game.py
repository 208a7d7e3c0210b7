"""Game: rules that can be played. The user's other nouns are State, Move and Role."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ludorum.engines import generic
from ludorum.engines.abilities import Batches, CountsSequences, Expands, IsCircuit, PlaysOut
from ludorum.engines.memory import check_memory_for_playouts
from ludorum.engines.playouts import Playouts
from ludorum.engines.protocol import Reasoner
from ludorum.engines.select_engine import Choice, of_circuit, select_engine, specialize
from ludorum.errors import LudorumError, NoCircuit, UnknownRole
from ludorum.findings import Findings
from ludorum.gdl import Rulesheet, parse_term
from ludorum.gdl.terms import Term
from ludorum.joint import JointLike, follow
from ludorum.move import Move, MoveLike, Role, as_terms
from ludorum.state import State

if TYPE_CHECKING:
    from ludorum.analysis.invariants import Invariants
    from ludorum.circuit import Circuit
    from ludorum.engines.batch import Batch
    from ludorum.pickling import Recipe

__all__ = ["Game", "Move", "Role", "State"]


class Game:
    """Rules with an engine that answers for them.

    The engine is the fastest that can load the rules within the budget, or the one that `engine` names; `why`
    says how it was chosen. Raises InvalidRules, or for a named engine TooLargeToGround.
    """

    def __init__(self, rules: Rulesheet, *, name: str = "game", engine: str | None = None,
                 seconds: float = 60, memory_mb: int = 4096, origin: str | None = None) -> None:
        self.rules = rules
        self.name = name
        #: What `ludorum.load` was asked for, if it was.
        self.origin = origin
        #: The seconds and megabytes that loading was given.
        self.budget = seconds, memory_mb
        #: What was proved of the game, if it was loaded with that.
        self.invariants: Invariants | None = None
        #: Whether it was made of another game, whose rules these are: what they say of its goals need not be so here.
        self.is_derived = False
        self._answer_with(select_engine(rules, engine, seconds=seconds, memory_mb=memory_mb))

    def _answer_with(self, choice: Choice) -> None:
        """Take an engine, with nothing known about the game yet."""
        self._choice = choice
        #: What was found out about the game so far.
        self.findings = Findings()
        self.roles: tuple[Role, ...] = tuple(Role(str(role)) for role in choice.reasoner.roles)
        self.__dict__.pop("initial", None)

    @property
    def reasoner(self) -> Reasoner:
        return self._choice.reasoner

    @property
    def circuit(self) -> Circuit:
        """The game as a circuit; raises NoCircuit where another engine answers."""
        if not isinstance(self.reasoner, IsCircuit):
            raise NoCircuit(f"{self.name} has no circuit, for it runs on the {self.engine} engine: {self.why}")
        return self.reasoner.circuit

    @property
    def engine(self) -> str:
        """The name of the engine that answers."""
        return self.reasoner.name

    @property
    def why(self) -> str:
        """Why this engine was chosen, in one sentence."""
        return self._choice.why

    @property
    def report(self) -> dict[str, Any]:
        """How the game was loaded: seconds, and what grounding and compiling did."""
        return self._choice.report

    @property
    def fluents(self) -> tuple[Term, ...] | None:
        """Every fluent that may ever hold, None where the engine does not know."""
        return self._choice.fluents

    @property
    def moves(self) -> dict[str, tuple[Move, ...]] | None:
        """For every role the moves it may ever have, None where the engine does not know."""
        if self._choice.moves is None:
            return None
        by_role = zip(self.roles, self._choice.moves, strict=True)
        return {role: tuple(map(Move, moves)) for role, moves in by_role}

    @cached_property
    def initial(self) -> State:
        return State(self, self.reasoner.initial, step=0)

    def role(self, name: str) -> Role:
        """The role of this name, in any letter case; raises UnknownRole."""
        if name in self.roles:
            return Role(name)
        try:
            role = Role(str(parse_term(name)))
        except LudorumError:
            role = Role(name)
        if role not in self.roles:
            raise UnknownRole(f"{self.name} has no role {name}; its roles are {', '.join(self.roles)}")
        return role

    def state(self, fluents: str | Iterable[MoveLike]) -> State:
        """The state where exactly these fluents hold; raises UnknownFluent for one that never can."""
        return State(self, self.reasoner.position(as_terms(fluents)))

    def replay(self, moves: str | Iterable[JointLike]) -> State:
        """The state after a series of moves from the initial state.

        A text such as "(mark 1 1) (mark 2 2)" names the moves of the roles that have a choice, step by step.
        Whole joint moves can be told as a list of mappings or sequences.
        """
        return follow(self.initial, moves)

    def playouts(self, n: int, state: State | None = None, *, seed: int = 0, threads: int = 1,
                 max_steps: int = 10_000, lanes: int | None = None) -> Playouts:
        """Play n random matches from a state (the initial one if none is given) to their ends.

        The result depends on the engine and the seed, not on the number of threads or lanes. Raises TooLarge where the
        memory has no room for so many results.
        """
        if n < 0 or threads < 1 or max_steps < 0:
            raise ValueError("playouts and steps cannot be fewer than 0, nor threads fewer than 1")
        check_memory_for_playouts(n, len(self.roles))
        reasoner, position = self.reasoner, (state or self.initial).position
        if isinstance(reasoner, PlaysOut):
            return reasoner.playouts(n, position, seed=seed, threads=threads, max_steps=max_steps,
                                     lanes=lanes)
        return generic.playouts(reasoner, n, position, seed=seed, max_steps=max_steps)

    def expand(self, state: State | None = None, *,
               limit: int | None = None) -> list[tuple[tuple[Move, ...], State]]:
        """Every joint move of a state with its successor, at most `limit`; none for a terminal state."""
        state = state or self.initial
        reasoner = self.reasoner
        if isinstance(reasoner, Expands):
            successors = reasoner.expand(state.position, limit)
        else:
            successors = generic.expand(reasoner, state.position, limit)
        step = None if state.step is None else state.step + 1
        return [(tuple(map(Move, joint)), State(self, position, step=step, arrival=(state.position, joint)))
                for joint, position in successors]

    def perft(self, depth: int, state: State | None = None) -> list[int]:
        """How many sequences of joint moves there are of length 1, 2, … depth."""
        reasoner, position = self.reasoner, (state or self.initial).position
        if isinstance(reasoner, CountsSequences):
            return reasoner.perft(position, depth)
        return generic.perft(reasoner, position, depth)

    def batch(self, n: int, state: State | None = None, *, max_steps: int = 10_000, threads: int = 1) -> Batch:
        """n copies of a state that step side by side, with fluents and legal moves as NumPy planes."""
        if not isinstance(self.reasoner, Batches):
            raise LudorumError(f"the {self.engine} engine of {self.name} steps no batches: {self.why}")
        return self.reasoner.batch(n, (state or self.initial).position, max_steps=max_steps, threads=threads)

    def specialized(self, invariants: Invariants) -> Game:
        """The same game compiled anew with what was proved of it.

        It answers alike for all states, and plays faster from those that can be reached where the circuit gets smaller.
        """
        game = self._anew(specialize(self._choice, one_hot=invariants.one_hot, exclusive=invariants.exclusive,
                                 never=invariants.never, always=invariants.always))
        game.invariants = invariants
        return game

    def with_circuit(self, circuit: Circuit, *, name: str) -> Game:
        """A game that was made of this one, such as a part of it, as a circuit; its `rules` are still those of this."""
        game = self._anew(of_circuit(circuit, f"it was made of {self.name}"))
        game.name, game.invariants, game.origin, game.is_derived = name, None, None, True
        return game

    def _anew(self, choice: Choice) -> Game:
        """The same game with another engine, and nothing known about it yet."""
        game = object.__new__(Game)
        game.__dict__.update(self.__dict__)
        game._answer_with(choice)
        return game

    # A game is a value, so a copy of it is the game itself.

    def __copy__(self) -> Game:
        return self

    def __deepcopy__(self, memo: object) -> Game:
        return self

    def __reduce__(self) -> tuple[Callable[[Recipe], Game], tuple[Recipe]]:
        from ludorum.pickling import Recipe  # Here, because it makes games itself.

        recipe = Recipe.of(self)
        return Recipe.game, (recipe,)

    def __repr__(self) -> str:
        # The whole text of rules would paste back, but nobody wants to see it.
        if self.origin is None or "\n" in self.origin:
            return f"<Game {self.name}>"
        return f"ludorum.load({self.origin!r})"

    def __str__(self) -> str:
        return f"{self.name}: {', '.join(self.roles)}; {self.engine} engine ({self.why})"
