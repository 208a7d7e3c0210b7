"""The core of Ludorum: wires, bits and numbers."""

from collections.abc import Iterable, Sequence
from typing import Annotated, Any

import numpy
import numpy.typing
from numpy.typing import NDArray


def count_processor_time(is_wanted: bool) -> None:
    """
    Whether searches end by the time that processors spend on this process, and not by the clock on the wall.
    """

def available_lanes() -> list[tuple[int, str]]:
    """The widths that can be used here, each with its instruction set."""

class Simulator:
    """
    Answers for many states at once; search needs nothing else of an engine.
    """

    @property
    def move_counts(self) -> list[int]:
        """How many moves each role has in rows of bits."""

    @property
    def percept_roles(self) -> list[int]:
        """For every percept its role."""

    def decisive_moves(self) -> int:
        """How many moves decisive playouts can see to end the game at once."""

    def terminal_and_legal(self, states: Annotated[NDArray[numpy.uint64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> tuple[NDArray[numpy.uint8], NDArray[numpy.uint64]]:
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

    @property
    def turns(self) -> int: ...

    @property
    def phases(self) -> list[list[int]]: ...

    @property
    def next(self) -> list[int]: ...

    @property
    def legal(self) -> list[int]:
        """A literal a move, role by role."""

    @property
    def terminal(self) -> int: ...

    @property
    def gates(self) -> int: ...

    @property
    def inputs(self) -> int:
        """What the gates read together."""

    @property
    def gate_inputs(self) -> tuple[tuple[int, ...], ...]:
        """The literals that every wire after the given ones reads."""

    @property
    def loops(self) -> list[tuple[int, int, int]]:
        """Wires, definitions and components."""

    @property
    def goals(self) -> list[tuple[int, int, int]]:
        """Roles, values and literals."""

    @property
    def percepts(self) -> list[tuple[int, int]]:
        """Roles and literals."""

    def find_phases(self, initial: Sequence[int], most: int) -> list[list[int]]:
        """
        Literals that hold in the phases through which some fluents go by themselves, from a state where these fluents hold.
        """

class CircuitSimulator(Simulator):
    """Plays a circuit on many states at once."""

    def __init__(self, circuit: Circuit) -> None: ...

    def deepen_incremental(self, state: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], seconds: float) -> dict[str, Any]:
        """The same, one state at a time, recomputing what a move changes."""

    def play_on_incremental(self, state: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], seconds: float, seed: int) -> dict[str, Any]:
        """The same, one state at a time, recomputing what a move changes."""

    def describe(self) -> dict[str, Any]:
        """Sizes of the cones: gates, inputs, runs, slots."""

    def fastest_lanes(self, state: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> int:
        """The width that plays fastest here, by a short trial."""

class GroundProgram:
    """Ground rules by numbers, and which atoms a circuit is about."""

    def __init__(self, atoms: int, heads: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], ends: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], literals: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], facts: Sequence[int], fluents: Sequence[int], moves: Sequence[int], does: Sequence[int], legal: Sequence[int], next: Sequence[int | None], terminal: int | None, goals: Sequence[tuple[int, int, int]], percepts: Sequence[tuple[int, int]]) -> None: ...

def decide(heads: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], ends: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], literals: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], atoms: int, facts: Sequence[int], given: Sequence[tuple[int, Sequence[int]]]) -> tuple[NDArray[numpy.int32], NDArray[numpy.uint32], NDArray[numpy.int32], list[int], list[int]]:
    """
    Rules without what is already decided: heads, ends, literals, facts, and atoms that are never true.
    """

def build(program: GroundProgram, seconds: float, bytes: int) -> Circuit | None:
    """The circuit that says what a ground program says."""

def simplify(circuit: Circuit, seconds: float, bytes: int) -> Circuit | None:
    """Propagates constants and drops what nobody asks for."""

def use_legality(circuit: Circuit, seconds: float, bytes: int) -> Circuit | None:
    """Leaves out beside a move what its legality demands."""

def flatten(circuit: Circuit, seconds: float, bytes: int) -> Circuit | None:
    """Makes a conjunction that one other reads part of that one."""

def use_one_hot_moves(circuit: Circuit, seconds: float, bytes: int) -> Circuit | None:
    """Replaces none of many moves by one of the others."""

def factor(circuit: Circuit, seconds: float, bytes: int) -> Circuit | None:
    """Says common literals of alternatives once."""

def share(circuit: Circuit, seconds: float, bytes: int) -> Circuit | None:
    """Reads pairs of literals once that many gates read."""

def unroll(circuit: Circuit, most_gates: int, seconds: float, bytes: int) -> Circuit | None:
    """The same circuit without loops."""

def merge_agreeing_fluents(circuit: Circuit, initial: Sequence[int], seconds: float, bytes: int) -> tuple[Circuit, list[tuple[int, int]]] | None:
    """Reads fluents as one that provably agree; and which do."""

def find_turns(circuit: Circuit, initial: Sequence[int], seconds: float, bytes: int) -> Circuit | None:
    """The circuit with its phases, if they are worth having."""

def use_proved_fluents(circuit: Circuit, one_hot: Sequence[Sequence[int]], exclusive: Sequence[Sequence[int]], never: Sequence[int], always: Sequence[int], seconds: float, bytes: int) -> Circuit | None:
    """Makes every gate simpler by what was proved of fluents."""

class GateBuilder:
    """Makes gates; the same conjunction always gives the same literal."""

    def __init__(self, given: int) -> None: ...

    @property
    def given(self) -> int:
        """How many wires there were before the first gate."""

    @property
    def wires(self) -> int:
        """How many wires there are, the given ones included."""

    @property
    def gate_inputs(self) -> tuple[tuple[int, ...], ...]:
        """The literals that every wire after the given ones reads."""

    def loop_wire(self) -> int:
        """A new loop wire."""

    def inputs_of(self, wire: int) -> tuple[int, ...]:
        """The literals that a gate reads; nothing for any other wire."""

    def all_of(self, literals: Iterable[int]) -> int:
        """The conjunction, simplified by what its inputs and their inputs say."""

    def any_of(self, literals: Iterable[int]) -> int:
        """The disjunction, likewise."""

    def again(self, literals: Iterable[int]) -> int:
        """
        The conjunction of inputs that were simplified before: only the plainest.
        """

class Batch:
    """Many games side by side that are stepped together."""

    def __init__(self, simulator: Simulator, start: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], n: int, max_steps: int, threads: int) -> None: ...

    def __len__(self) -> int: ...

    @property
    def fluents(self) -> int:
        """How many columns of fluents there are."""

    @property
    def moves(self) -> list[int]:
        """How many moves each role has."""

    @property
    def percepts(self) -> int:
        """How many percepts there are."""

    @property
    def rows(self) -> numpy.typing.NDArray[numpy.uint64]:
        """The fluents as packed bits."""

    @property
    def legal_rows(self) -> numpy.typing.NDArray[numpy.uint64]:
        """The legal moves as packed bits, role after role."""

    @property
    def ended(self) -> numpy.typing.NDArray[numpy.uint8]:
        """How games ended in the last step."""

    @property
    def final_goals(self) -> numpy.typing.NDArray[numpy.int16]:
        """
        What games ended with that began anew in the last step; -1 for the others.
        """

    @property
    def standings(self) -> numpy.typing.NDArray[numpy.uint8]:
        """Going 0, terminal 1, stuck 2, cut 3."""

    @property
    def lengths(self) -> numpy.typing.NDArray[numpy.uint32]:
        """Steps made."""

    def seed(self, seeds: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], chosen: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)] | None) -> None:
        """Begins random streams anew."""

    def sample(self, chosen: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, out: Annotated[NDArray[numpy.uint32], dict(shape=(None, None), order='C', device='cpu')]) -> None:
        """Legal moves, each as likely as any other, into this array."""

    def choosers(self) -> NDArray[numpy.uint8]:
        """Which roles have more than one legal move."""

    def step(self, joint: numpy.typing.NDArray[numpy.uint32], chosen: numpy.typing.NDArray[numpy.uint8] | None, tell: bool, begin_anew: bool, fluents: numpy.typing.NDArray[numpy.uint8] | None, legal: numpy.typing.NDArray[numpy.uint8] | None) -> tuple[int, int] | numpy.typing.NDArray[numpy.uint8] | None:
        """
        Advances the games; with `tell`, what roles are told. Where a move is not legal: its game and role, and nothing is done.
        """

    def standing(self, game: int) -> int:
        """How a game is."""

    def choosing(self, game: int) -> list[int]:
        """The roles that have more than one legal move in a game."""

    def legal_numbers(self, game: int, role: int) -> list[int]:
        """The numbers of a role's legal moves in a game."""

    def step_alone(self, wanted: Sequence[int]) -> list[int]:
        """
        Advances a game that is alone: by these moves, and by random ones where they are negative. The joint move; empty where one is not legal, and nothing is done.
        """

    def set(self, state: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], chosen: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)] | None) -> None:
        """Puts games into a state."""

    def goals(self) -> NDArray[numpy.int16]:
        """Goal values by game and role; -1 where not exactly one holds."""

    def write_fluents(self, out: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu')]) -> None:
        """What holds, a byte a fluent, into this array."""

    def write_legal(self, out: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu')], first: int, end: int) -> None:
        """What is legal, a byte a move, into this array."""

class Evaluation:
    """What states that are not over may be worth."""

    def evaluate(self, simulator: Simulator, states: Annotated[NDArray[numpy.uint64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> NDArray[numpy.float64]:
        """What states are worth to every role, from 0 to 100."""

    def time(self, simulator: Simulator, states: Annotated[NDArray[numpy.uint64], dict(shape=(None, None), order='C', device='cpu', writable=False)], at_a_time: int) -> float:
        """The CPU seconds that evaluating states takes, so many at a time."""

class GoalEvaluation(Evaluation):
    """The goal values that hold now."""

    def __init__(self) -> None: ...

class MobilityEvaluation(Evaluation):
    """Whether a role has more moves than usual."""

    def __init__(self, usual_moves: Sequence[float]) -> None: ...

class PlayoutEvaluation(Evaluation):
    """What random matches from a state end with on average."""

    def __init__(self, simulator: Simulator, playouts: int, max_steps: int, seed: int) -> None: ...

class WeightedEvaluation(Evaluation):
    """The mean of others, each with its weight."""

    def __init__(self, parts: Sequence[tuple[float, Evaluation]]) -> None: ...

class ProgramEvaluation(Evaluation):
    """An evaluation as a program over lanes of states."""

    def __init__(self, fluents: int, roles: int, slots: int, operations: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], step_slots: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], operand_ends: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], operands: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], constant_ends: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], constants: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], outputs: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], conditions: CircuitSimulator | None, instructions: str | None = None) -> None: ...

    @property
    def steps(self) -> int:
        """How many steps the program has."""

def evaluation_instructions() -> list[str]:
    """
    The instruction sets that evaluation programs can use here, the fastest last.
    """

def by_joint_moves(circuit: Circuit, group_ends: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], groups: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], sure: int, seconds: float) -> Circuit:
    """
    The circuit with what holds next written out by joint moves, where of some groups at most one fluent holds; as it is if that is too much.
    """

def fluent_graph(circuit: Circuit, mark_offsets: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], marks: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], seconds: float) -> tuple[NDArray[numpy.uint32], NDArray[numpy.uint32]] | None:
    """
    The edges that lead to every fluent: offsets and sources; None if the time did not suffice.
    """

def fluent_distances(offsets: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], sources: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], targets: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> NDArray[numpy.int32]:
    """
    For every target the number of steps from each fluent, and from nothing; -1 where there is no way.
    """

class NetEvaluation(Evaluation):
    """A net of integers over fluents."""

    def __init__(self, fluents: int, roles: int, outputs: int, hidden1: int, hidden2: int, columns: Annotated[NDArray[numpy.int16], dict(shape=(None,), order='C', device='cpu', writable=False)], bias1: Annotated[NDArray[numpy.int16], dict(shape=(None,), order='C', device='cpu', writable=False)], weights2: Annotated[NDArray[numpy.int16], dict(shape=(None,), order='C', device='cpu', writable=False)], bias2: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], weights3: Annotated[NDArray[numpy.int16], dict(shape=(None,), order='C', device='cpu', writable=False)], bias3: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], skip: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], instructions: str | None = None) -> None: ...

    def outputs(self, states: Annotated[NDArray[numpy.uint64], dict(shape=(None, None), order='C', device='cpu', writable=False)], is_plain: bool = False) -> NDArray[numpy.int32]:
        """
        Logits times 65536 of states: by the kernel, or plainly, one number after the other.
        """

    def outputs_after(self, states: Annotated[NDArray[numpy.uint64], dict(shape=(None, None), order='C', device='cpu', writable=False)], parents: Annotated[NDArray[numpy.uint64], dict(shape=(None, None), order='C', device='cpu', writable=False)], parent_of: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> NDArray[numpy.int32]:
        """The same of states by what changed since their parents."""

    def time_after(self, states: Annotated[NDArray[numpy.uint64], dict(shape=(None, None), order='C', device='cpu', writable=False)], parents: Annotated[NDArray[numpy.uint64], dict(shape=(None, None), order='C', device='cpu', writable=False)], parent_of: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> float:
        """The CPU seconds that this takes."""

def net_instructions() -> list[str]:
    """The instruction sets that nets can use here, the fastest last."""

def self_play(simulator: Simulator, net: NetEvaluation, start: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], games: int, seed: int, threads: int = 1, lambda_: float = 0.8500000238418579, temperature: float = 0.5, epsilon: float = 0.05000000074505806, random_steps: int = 4, max_steps: int = 500, chance_role: int = -1, lanes: int = 256, first_game: int = 0) -> tuple[NDArray[numpy.uint64], NDArray[numpy.float32], NDArray[numpy.uint32], NDArray[numpy.float32], int]:
    """
    Games of a net against itself: states, what they turned out to be worth, lengths, payoffs, and states that were judged.
    """

def net_matches(simulator: Simulator, one: NetEvaluation, other: NetEvaluation, start: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], games: int, seed: int, threads: int = 1, temperature: float = 0.019999999552965164, random_steps: int = 8, max_steps: int = 500, chance_role: int = -1) -> NDArray[numpy.float32]:
    """
    Pairs of games of one net against another, one turn ahead: payoffs by game and role.
    """

def tree_play(simulator: Simulator, net: NetEvaluation, start: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], games: int, seed: int, playouts: int = 200, threads: int = 1, lambda_: float = 0.8500000238418579, epsilon: float = 0.05000000074505806, random_steps: int = 4, max_steps: int = 500, chance_role: int = -1, prior_visits: int = 64, first_game: int = 0) -> tuple[NDArray[numpy.uint64], NDArray[numpy.float32], NDArray[numpy.uint32]]:
    """
    Games of a tree search that asks a net: states, what the trees say they are worth, and lengths.
    """

def train(fluents: int, outputs: int, hidden1: int, hidden2: int, parameters: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu')], first_moments: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu')], second_moments: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu')], states: Annotated[NDArray[numpy.uint64], dict(shape=(None, None), order='C', device='cpu', writable=False)], targets: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], batch: int, rate: float, seed: int, steps: int, inputs: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None, ties: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None = None, instructions: str | None = None) -> float:
    """
    One pass of training over states; changes the parameters and the moments, and gives the mean loss.
    """

class Symmetries:
    """
    A group of permutations of fluents and moves that leave a game what it is.
    """

    def __init__(self, fluents: int, move_counts: Sequence[int], of_fluents: Sequence[Sequence[int]], of_moves: Sequence[Sequence[int]]) -> None: ...

    def __len__(self) -> int: ...

    def canonical(self, states: Annotated[NDArray[numpy.uint64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> NDArray[numpy.uint64]:
        """For every state the image that stands for all its images."""

class Guide:
    """What tells how far a state seems to be from the goal."""

    def __call__(self, state: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> int: ...

class RelaxedPlan(Guide):
    """The moves of a plan where nothing that holds ever ceases to."""

    def __init__(self, circuit: Circuit, goal: int) -> None: ...

class GoalDistance(Guide):
    """How far a state seems to be from a goal, by the goal's formula."""

    def __init__(self, fluents: int, offsets: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], inputs: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], root: int) -> None: ...

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

    def __init__(self, simulator: Simulator, start: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], target: int, memory: int, counter: Sequence[int], symmetries: Sequence[Sequence[int]], guide: Guide, weight: int) -> None: ...

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

class IdaStar:
    """Depth-first search to a bound that grows, with a table of states."""

    def __init__(self, simulator: Simulator, start: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], target: int, memory: int, symmetries: Sequence[Sequence[int]], guide: Guide | None) -> None: ...

    def run(self, seconds: float) -> str:
        """Goes on for so long: 'running', 'solved' or 'exhausted'."""

    @property
    def value(self) -> int: ...

    @property
    def plan(self) -> list[int]: ...

    @property
    def states(self) -> int: ...

    @property
    def bound(self) -> int: ...

class Minimin:
    """Looks a few steps ahead, makes the best move, and learns from it."""

    def __init__(self, simulator: Simulator, start: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], target: int, memory: int, guide: Guide, lookahead: int, seed: int, max_steps: int) -> None: ...

    def run(self, seconds: float) -> str:
        """Goes on for so long: 'running', 'solved' or 'exhausted'."""

    @property
    def value(self) -> int: ...

    @property
    def plan(self) -> list[int]: ...

    @property
    def states(self) -> int: ...

    @property
    def rounds(self) -> int: ...

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

class TreeOptions:
    """How a tree search behaves; values of goals are from 0 to 1."""

    def __init__(self) -> None: ...

    @property
    def exploration(self) -> float: ...

    @exploration.setter
    def exploration(self, arg: float, /) -> None: ...

    @property
    def virtual_loss(self) -> float: ...

    @virtual_loss.setter
    def virtual_loss(self, arg: float, /) -> None: ...

    @property
    def in_flight(self) -> int: ...

    @in_flight.setter
    def in_flight(self, arg: int, /) -> None: ...

    @property
    def expand_at(self) -> int: ...

    @expand_at.setter
    def expand_at(self, arg: int, /) -> None: ...

    @property
    def lanes(self) -> int: ...

    @lanes.setter
    def lanes(self, arg: int, /) -> None: ...

    @property
    def threads(self) -> int: ...

    @threads.setter
    def threads(self, arg: int, /) -> None: ...

    @property
    def seed(self) -> int: ...

    @seed.setter
    def seed(self, arg: int, /) -> None: ...

    @property
    def max_steps(self) -> int: ...

    @max_steps.setter
    def max_steps(self, arg: int, /) -> None: ...

    @property
    def memory(self) -> int: ...

    @memory.setter
    def memory(self, arg: int, /) -> None: ...

    @property
    def chance_role(self) -> int: ...

    @chance_role.setter
    def chance_role(self, arg: int, /) -> None: ...

    @property
    def proofs(self) -> bool: ...

    @proofs.setter
    def proofs(self, arg: bool, /) -> None: ...

    @property
    def rave_equivalence(self) -> float: ...

    @rave_equivalence.setter
    def rave_equivalence(self, arg: float, /) -> None: ...

    @property
    def rave_margin(self) -> float: ...

    @rave_margin.setter
    def rave_margin(self, arg: float, /) -> None: ...

    @property
    def sufficient(self) -> float: ...

    @sufficient.setter
    def sufficient(self, arg: float, /) -> None: ...

    @property
    def temperature(self) -> float: ...

    @temperature.setter
    def temperature(self, arg: float, /) -> None: ...

    @property
    def epsilon(self) -> float: ...

    @epsilon.setter
    def epsilon(self, arg: float, /) -> None: ...

    @property
    def decay(self) -> float: ...

    @decay.setter
    def decay(self, arg: float, /) -> None: ...

    @property
    def ngram_visits(self) -> int: ...

    @ngram_visits.setter
    def ngram_visits(self, arg: int, /) -> None: ...

    @property
    def decisive(self) -> bool: ...

    @decisive.setter
    def decisive(self, arg: bool, /) -> None: ...

    @property
    def prior_visits(self) -> int: ...

    @prior_visits.setter
    def prior_visits(self, arg: int, /) -> None: ...

    @property
    def cutoff(self) -> int | None: ...

    @cutoff.setter
    def cutoff(self, steps: int | None) -> None: ...

    @property
    def symmetries(self) -> Symmetries: ...

    @symmetries.setter
    def symmetries(self, group: Symmetries | None) -> None: ...

    @property
    def rave(self) -> str: ...

    @rave.setter
    def rave(self, arg: str, /) -> None: ...

    @property
    def sufficiency(self) -> str: ...

    @sufficiency.setter
    def sufficiency(self, arg: str, /) -> None: ...

    @property
    def policy(self) -> str: ...

    @policy.setter
    def policy(self, arg: str, /) -> None: ...

    @property
    def choice(self) -> str: ...

    @choice.setter
    def choice(self, arg: str, /) -> None: ...

class TreeSearch:
    """Monte-Carlo tree search over a simulator."""

    def __init__(self, simulator: Simulator, evaluation: object | None, options: TreeOptions) -> None: ...

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

class MinimaxOptions:
    """How alpha-beta, max^n or paranoid search behaves."""

    def __init__(self) -> None: ...

    @property
    def role(self) -> int: ...

    @role.setter
    def role(self, arg: int, /) -> None: ...

    @property
    def chance_role(self) -> int: ...

    @chance_role.setter
    def chance_role(self, arg: int, /) -> None: ...

    @property
    def constant_sum(self) -> bool | None: ...

    @constant_sum.setter
    def constant_sum(self, value: bool | None) -> None: ...

    @property
    def sum(self) -> float | None: ...

    @sum.setter
    def sum(self, value: float | None) -> None: ...

    @property
    def paranoid(self) -> bool: ...

    @paranoid.setter
    def paranoid(self, arg: bool, /) -> None: ...

    @property
    def nonuniform(self) -> bool: ...

    @nonuniform.setter
    def nonuniform(self, arg: bool, /) -> None: ...

    @property
    def null_windows(self) -> bool: ...

    @null_windows.setter
    def null_windows(self, arg: bool, /) -> None: ...

    @property
    def equilibria(self) -> bool: ...

    @equilibria.setter
    def equilibria(self, arg: bool, /) -> None: ...

    @property
    def goals(self) -> float: ...

    @goals.setter
    def goals(self, arg: float, /) -> None: ...

    @property
    def mobility(self) -> float: ...

    @mobility.setter
    def mobility(self, arg: float, /) -> None: ...

    @property
    def evaluation_weight(self) -> float: ...

    @evaluation_weight.setter
    def evaluation_weight(self, arg: float, /) -> None: ...

    @property
    def table_mb(self) -> int: ...

    @table_mb.setter
    def table_mb(self, arg: int, /) -> None: ...

    @property
    def sweep(self) -> int: ...

    @sweep.setter
    def sweep(self, arg: int, /) -> None: ...

    @property
    def seed(self) -> int: ...

    @seed.setter
    def seed(self, arg: int, /) -> None: ...

    @property
    def survey_walks(self) -> int: ...

    @survey_walks.setter
    def survey_walks(self, arg: int, /) -> None: ...

    @property
    def survey_seconds(self) -> float: ...

    @survey_seconds.setter
    def survey_seconds(self, arg: float, /) -> None: ...

    @property
    def symmetries(self) -> Symmetries: ...

    @symmetries.setter
    def symmetries(self, value: Symmetries | None) -> None: ...

def usual_moves(simulator: Simulator, state: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], chance_role: int, walks: int, seed: int, seconds: float) -> list[float]:
    """
    How many moves every role has on average where it has a choice, in random walks from a state.
    """

class Minimax:
    """Alpha-beta, max^n or paranoid search with iterative deepening."""

    def __init__(self, simulator: Simulator, state: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], evaluation: object | None, options: MinimaxOptions) -> None: ...

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

    def percept_number(self, role: int, text: Sequence[int]) -> int: ...

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

def advance_belief(simulator: Simulator, states: Annotated[NDArray[numpy.uint64], dict(shape=(None, None), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], seat: int, moves: Sequence[int], told: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, classes: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], most_states: int, most_tries: int, seconds: float) -> tuple[NDArray[numpy.uint64], NDArray[numpy.float64], str, int]:
    """
    All states that are possible after a turn of which a role knows some moves (-1: unknown) and its percepts (None: not told), their weights, how it ended ('done', or what there was too little of) and how many joint moves were tried.
    """

def advance_sample(simulator: Simulator, states: Annotated[NDArray[numpy.uint64], dict(shape=(None, None), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], seat: int, moves: Sequence[int], told: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, classes: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], most_states: int, most_tries: int, seconds: float, seed: int) -> tuple[NDArray[numpy.uint64], NDArray[numpy.float64]]:
    """A sample of those states, with weights that are right on average."""

class BeliefPlanner:
    """What a role's moves are worth by what it knows and will be told."""

    def __init__(self, simulator: Simulator, seat: int, ceiling: float) -> None: ...

    def plan(self, states: Annotated[NDArray[numpy.uint64], dict(shape=(None, None), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], horizon: int, most_tries: int, seconds: float) -> tuple[list[tuple[int, float]], bool, bool]:
        """
        The value of every move that is legal in all states, whether it is exact, and whether it came to the end.
        """

    @property
    def tries(self) -> int: ...

def thin_states(states: Annotated[NDArray[numpy.uint64], dict(shape=(None, None), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], most: int, seed: int) -> tuple[NDArray[numpy.uint64], NDArray[numpy.float64]]:
    """About so many of the states, with weights that are right on average."""

class InformationTree:
    """
    A small game with all its information sets; plans are numbers by sequence.
    """

    @staticmethod
    def grow(simulator: Simulator, initial: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order='C', device='cpu', writable=False)], random: int | None, nodes: int, seconds: float, cuts: bool = False) -> InformationTree: ...

    @property
    def roles(self) -> list[int]:
        """The role of every player."""

    @property
    def nodes(self) -> int: ...

    @property
    def layers(self) -> int: ...

    @property
    def is_whole(self) -> bool: ...

    @property
    def uninformed(self) -> int | None:
        """A role that is told too little to know its legal moves."""

    def cuts(self) -> list[tuple[NDArray[numpy.uint64], bytes]]:
        """
        States that were not gone beyond: everybody knew what can follow. Each with all of that, which tells them apart.
        """

    def cut_views(self, player: int) -> list[tuple[int, int]]:
        """
        What a player has seen where the tree was cut, and the number of the cut.
        """

    def settle(self, worths: Sequence[Sequence[float]]) -> None:
        """
        Says what each cut is worth to every player: from now on they are ends.
        """

    def sets(self, player: int) -> NDArray[numpy.uint32]:
        """
        Its information sets: parent sequence, first sequence, number of moves, view.
        """

    def moves(self, player: int) -> NDArray[numpy.uint32]:
        """
        The last move of each of its sequences; of the first, which is empty, nothing.
        """

    def history(self, player: int, view: int) -> list[tuple[int, list[int]]]:
        """
        What a player has seen, turn by turn: its own move and a row of percepts.
        """

    def outcomes(self) -> tuple[NDArray[numpy.uint32], NDArray[numpy.float64], NDArray[numpy.float64]]:
        """
        Ends by the sequences of all players: these, the probability of chance, and payoffs times that.
        """

    def uniform(self, player: int) -> NDArray[numpy.float64]: ...

    def values(self, plans: Sequence[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]]) -> list[float]:
        """What every player gets on average."""

    def best_reply(self, player: int, plans: Sequence[Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]]) -> tuple[float, NDArray[numpy.float64]]:
        """What a best reply gets against the plans of the others, and its plan."""

class RegretMatching:
    """CFR+ on a game with all its information sets."""

    def __init__(self, tree: InformationTree, predictive: bool = False) -> None: ...

    def run(self, rounds: int) -> None: ...

    @property
    def rounds(self) -> int: ...

    def average(self) -> list[NDArray[numpy.float64]]:
        """The average plan of every player."""

class ViewSimulator(Simulator):
    """A game whose rows also have a word a role: what it has seen so far."""

    def __init__(self, simulator: Simulator, random: int | None) -> None: ...

    @property
    def plain_words(self) -> int:
        """How many words of a row are the state itself."""

class InformationSetSearch:
    """A tree search for every role by what that role knows."""

    def __init__(self, simulator: ViewSimulator, selection: str, exploration: float, at_once: int, most_nodes: int, max_steps: int, seed: int) -> None: ...

    def run(self, states: Annotated[NDArray[numpy.uint64], dict(shape=(None, None), order='C', device='cpu', writable=False)], weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], simulations: int, seconds: float) -> int:
        """Simulations from states, drawn by their weights; how many were made."""

    def report(self, role: int, view: int) -> list[tuple[int, int, float, float]]:
        """
        Of a role with a view: moves, visits, mean results, and probabilities in the average strategy.
        """

    @property
    def nodes(self) -> int: ...
