"""The core of Ludorum: wires, bits and numbers."""

from collections.abc import Sequence
from typing import Annotated, Any

import numpy
from numpy.typing import NDArray


def available_lanes() -> list[tuple[int, str]]:
    """The widths that can be used here, each with its instruction set."""

class Simulator:
    """
    Answers for many states at once; search needs nothing else of an engine.
    """

    def look(self, states: Annotated[NDArray[numpy.uint64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> tuple[NDArray[numpy.uint8], NDArray[numpy.uint64]]:
        """Whether states are terminal, and the legal moves as bits."""

    def step(self, states: Annotated[NDArray[numpy.uint64], dict(shape=(None, None), order='C', device='cpu', writable=False)], joint: Annotated[NDArray[numpy.uint32], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> NDArray[numpy.uint64]:
        """The successors of states; the moves must be legal."""

    def goals(self, states: Annotated[NDArray[numpy.uint64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> NDArray[numpy.int16]:
        """Goal values by state and role; -1 where not exactly one holds."""

    def percepts(self, states: Annotated[NDArray[numpy.uint64], dict(shape=(None, None), order='C', device='cpu', writable=False)], joint: Annotated[NDArray[numpy.uint32], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> NDArray[numpy.uint64]:
        """What is perceived after joint moves, as bits."""

    def playouts(self, state: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], n: int, seed: int, threads: int, max_steps: int, lanes: int) -> tuple[NDArray[numpy.int16], NDArray[numpy.int32], NDArray[numpy.uint8], int, int, int]:
        """
        Random matches: goals, lengths, outcomes, and lanes, steps and goal evaluations made.
        """

    def mean_outcomes(self, states: Annotated[NDArray[numpy.uint64], dict(shape=(None, None), order='C', device='cpu', writable=False)], playouts: int, seed: int, max_steps: int, seconds: float) -> NDArray[numpy.float32]:
        """
        What random matches from the first states bring on average, as far as there is time; no number where none ends.
        """

    def perft(self, state: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], depth: int) -> list[int]:
        """Numbers of sequences of joint moves, a number a depth."""

    def joint_moves(self, state: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], limit: int) -> NDArray[numpy.uint32]:
        """All joint moves in a state, as move numbers."""

    def deepen(self, state: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], seconds: float, at_once: int) -> dict[str, Any]:
        """
        Iterative deepening without values: seconds, nodes, nodes of completed depths.
        """

    def play_on(self, state: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], seconds: float, seed: int) -> dict[str, Any]:
        """Random matches for some seconds: seconds, nodes, playouts."""

class Circuit:
    """A game as a network of gates over fluents and moves."""

    def __init__(self, fluents: int, moves: Sequence[int], turns: int, phases: Sequence[Sequence[int]], offsets: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], inputs: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], loop_wires: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], loop_definitions: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], loop_components: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], next: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], legal: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], terminal: int, goals: Sequence[tuple[int, int, int]], percepts: Sequence[tuple[int, int]]) -> None: ...

    def find_phases(self, initial: Sequence[int], most: int) -> list[list[int]]:
        """
        Literals that hold in the phases through which some fluents go by themselves, from a state where these fluents hold.
        """

class CircuitSimulator(Simulator):
    """Plays a circuit on many states at once."""

    def __init__(self, circuit: Circuit) -> None: ...

    def deepen_following(self, state: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], seconds: float) -> dict[str, Any]:
        """The same, one state at a time, recomputing what a move changes."""

    def play_on_following(self, state: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], seconds: float, seed: int) -> dict[str, Any]:
        """The same, one state at a time, recomputing what a move changes."""

    def describe(self) -> dict[str, Any]:
        """Sizes of the cones: gates, inputs, runs, slots."""

    def fastest_lanes(self, state: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> int:
        """The width that plays fastest here, by a short trial."""

class Evaluation:
    """What states that are not over may be worth."""

    def evaluate(self, simulator: Simulator, states: Annotated[NDArray[numpy.uint64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> NDArray[numpy.float32]:
        """What states are worth to every role, from 0 to 100."""

    def time(self, simulator: Simulator, states: Annotated[NDArray[numpy.uint64], dict(shape=(None, None), order='C', device='cpu', writable=False)], at_a_time: int) -> float:
        """The CPU seconds that evaluating states takes, so many at a time."""

class GoalEvaluation(Evaluation):
    """The goal values that hold now."""

    def __init__(self) -> None: ...

class MobilityEvaluation(Evaluation):
    """Whether a role has more moves than usual."""

    def __init__(self, usual_moves: Sequence[float]) -> None: ...

class WeightedEvaluation(Evaluation):
    """The mean of others, each with its weight."""

    def __init__(self, parts: Sequence[tuple[float, Evaluation]]) -> None: ...

class ProgramEvaluation(Evaluation):
    """An evaluation as a program over lanes of states."""

    def __init__(self, fluents: int, roles: int, slots: int, operations: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], step_slots: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], operand_ends: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], operands: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], constant_ends: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], constants: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], outputs: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], conditions: CircuitSimulator | None, instructions: str | None = None) -> None: ...

    @property
    def steps(self) -> int:
        """How many steps the program has."""

def evaluation_instructions() -> list[str]:
    """
    The instruction sets that evaluation programs can use here, the fastest last.
    """

def fluent_graph(circuit: Circuit, mark_offsets: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], marks: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], seconds: float) -> tuple[NDArray[numpy.uint32], NDArray[numpy.uint32]] | None:
    """
    The edges that lead to every fluent: offsets and sources; None if the time did not suffice.
    """

def fluent_distances(offsets: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], sources: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], targets: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> NDArray[numpy.int32]:
    """
    For every target the number of steps from each fluent, and from nothing; -1 where there is no way.
    """

class Symmetries:
    """
    A group of permutations of fluents and moves that leave a game what it is.
    """

    def __init__(self, fluents: int, move_counts: Sequence[int], of_fluents: Sequence[Sequence[int]], of_moves: Sequence[Sequence[int]]) -> None: ...

    def __len__(self) -> int: ...

    def canonical(self, states: Annotated[NDArray[numpy.uint64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> NDArray[numpy.uint64]:
        """For every state the image that stands for all its images."""

class GoalDistance:
    """How far a state seems to be from a goal, by the goal's formula."""

    def __init__(self, fluents: int, offsets: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], inputs: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], root: int) -> None: ...

    def __call__(self, state: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> int: ...

class BreadthFirst:
    """All states that can be reached, the nearest first."""

    def __init__(self, simulator: Simulator, start: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], target: int, memory: int, counter: Sequence[int], symmetries: Sequence[Sequence[int]]) -> None: ...

    def run(self, seconds: float) -> str:
        """Goes on for so long: 'running', 'solved', 'exhausted' or 'full'."""

    @property
    def value(self) -> int: ...

    @property
    def plan(self) -> list[int]: ...

    @property
    def states(self) -> int: ...

    @property
    def depth(self) -> int: ...

    @property
    def ceiling(self) -> int: ...

class BestFirst:
    """A*: the states that look nearest to the goal first."""

    def __init__(self, simulator: Simulator, start: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], target: int, memory: int, counter: Sequence[int], symmetries: Sequence[Sequence[int]], distance: GoalDistance, weight: int) -> None: ...

    def run(self, seconds: float) -> str:
        """Goes on for so long: 'running', 'solved', 'exhausted' or 'full'."""

    @property
    def value(self) -> int: ...

    @property
    def plan(self) -> list[int]: ...

    @property
    def states(self) -> int: ...

    @property
    def nearest(self) -> int: ...

class Beam:
    """Beam search, wider and wider."""

    def __init__(self, simulator: Simulator, start: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], target: int, memory: int, counter: Sequence[int], symmetries: Sequence[Sequence[int]], distance: GoalDistance | None, seed: int, max_steps: int) -> None: ...

    def run(self, seconds: float) -> str:
        """Goes on for so long: 'running', 'solved' or 'exhausted'."""

    @property
    def value(self) -> int: ...

    @property
    def plan(self) -> list[int]: ...

    @property
    def states(self) -> int: ...

    @property
    def width(self) -> int: ...

class Nested:
    """Nested Monte-Carlo search, again and again."""

    def __init__(self, simulator: Simulator, start: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], target: int, distance: GoalDistance | None, level: int, seed: int, max_steps: int) -> None: ...

    def run(self, seconds: float, rounds: int) -> str:
        """
        Goes on for so long, or until so many rounds were played: 'running' or 'solved'.
        """

    @property
    def value(self) -> int: ...

    @property
    def plan(self) -> list[int]: ...

    @property
    def rounds(self) -> int: ...

    @property
    def playouts(self) -> int: ...

class TreeSearch:
    """Monte-Carlo tree search over a simulator."""

    def __init__(self, simulator: Simulator, evaluation: object | None = None, *, exploration: float, virtual_loss: float, in_flight: int, expand_at: int, lanes: int, threads: int, seed: int, max_steps: int, memory: int, chance_role: int, proofs: bool, rave: str, rave_equivalence: float, rave_margin: float, sufficiency: str, sufficient: float, policy: str, choice: str, temperature: float, epsilon: float, decay: float, ngram_visits: int, prior_visits: int, cutoff: int, symmetries: Symmetries | None) -> None: ...

    def set_root(self, state: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], moves_made: bool) -> None:
        """Where to search from; what is known of it is kept."""

    def think(self, playouts: int, seconds: float) -> bool:
        """Search; fewer than 0 playouts mean any number."""

    def begin(self) -> None:
        """Search in the background until told to halt."""

    def halt(self) -> None:
        """End the search in the background."""

    def report(self) -> dict[str, Any]:
        """What is known at the root; can be asked while it thinks."""

def usual_moves(simulator: Simulator, state: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], chance_role: int, seed: int, seconds: float) -> list[float]:
    """
    How many moves every role has on average where it has a choice, in random walks from a state.
    """

class Minimax:
    """Alpha-beta, max^n or paranoid search with iterative deepening."""

    def __init__(self, simulator: Simulator, state: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], role: int, chance_role: int, constant_sum: bool | None, sum: float | None, paranoid: bool, nonuniform: bool, goals: float, mobility: float, evaluation: object | None, evaluation_weight: float, table_mb: int, sweep: int, seed: int, survey_seconds: float, symmetries: Symmetries | None) -> None: ...

    def search(self, state: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], seconds: float, states: int, depth: int) -> dict[str, Any]:
        """Searches until the state is solved or the budget is spent."""

    def stop(self) -> None:
        """Ends the search that is running; from any thread."""

    @property
    def progress(self) -> dict[str, Any]:
        """What the search that is running, or else the last one, has found."""

    @property
    def survey(self) -> dict[str, Any]:
        """What random walks showed of the game before the first search."""

    @property
    def table_bytes(self) -> int:
        """The size of the table of states."""

class OutOfTime(Exception):
    pass

class OutOfMemory(Exception):
    pass

class Unstratified(Exception):
    pass

class RelationsSimulator(Simulator):
    """Plays by join plans over relations, without grounding."""

    def __init__(self, constants: int, arities: Sequence[int], ground_terms: Sequence[Sequence[int]], sets: Sequence[tuple[str, int, int, int, Sequence[Sequence[int]]]], views: Sequence[tuple[int, Sequence[int], int]], indexes: Sequence[tuple[int, Sequence[int], Sequence[int]]], procedures: Sequence[tuple[str, int, int, int, bool, Sequence[tuple[int, int, Sequence[tuple[int, int, int, int, int, int, Sequence[int], Sequence[int]]]]]]], questions: Sequence[int], roles: Sequence[int], goal_values: Sequence[int], room: tuple[int, Sequence[int], Sequence[int]], seconds: float, memory_mb: int) -> None: ...

    def initial(self) -> NDArray[numpy.uint64]:
        """The row of the initial state."""

    def row(self, fluents: Sequence[Sequence[int]]) -> NDArray[numpy.uint64]:
        """The row of the state where these hold."""

    def fluents(self, state: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> list[int]:
        """The numbers of the fluents that hold."""

    def fluent(self, number: int) -> list[int]: ...

    def move(self, role: int, number: int) -> list[int]: ...

    def move_number(self, role: int, text: Sequence[int]) -> int: ...

    def percept(self, role: int, number: int) -> list[int]: ...

    def known(self) -> tuple[int, list[int], list[int]]:
        """
        How many fluents, and moves and percepts by role, were met with so far.
        """

    def is_terminal(self, state: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> bool: ...

    def moves(self, state: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> list[list[int]]:
        """By role, the numbers of the legal moves."""

    def after(self, state: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], joint: Sequence[int]) -> NDArray[numpy.uint64]: ...

    def goals_of(self, state: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> list[int]: ...

    def told(self, state: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], joint: Sequence[int]) -> list[list[int]]:
        """By role, the numbers of what is perceived after a joint move."""

    def sample(self, states: int, steps: int, seed: int, kept: int) -> dict[str, Any]:
        """
        What random play meets with: work, calls, sizes, and some of the states.
        """

    def extent(self, set: int, limit: int) -> list[list[list[int]]]:
        """The rows of a set that is the same in all states."""
