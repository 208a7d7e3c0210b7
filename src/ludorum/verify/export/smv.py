"""A game for NuSMV: fluents are variables of a state, moves are inputs of a step.

After the end, and where a role has no legal move, everybody stops and the state stays as it is. What roles did and were
told is kept in variables too, so that formulas can speak of it. Knowledge is not for this tool.

In the literature: Cimatti, Clarke, Giunchiglia, Roveri, "NuSMV: a new symbolic model checker" (2000).
"""

from __future__ import annotations

from collections.abc import Iterator

from ludorum.circuit.circuit import Circuit, Wire
from ludorum.verify.export.model import Model, Syntax

_SYNTAX = Syntax("!{}", " & ", "TRUE", "FALSE")


def to_smv(circuit: Circuit, name: str = "game") -> str:
    """The model, with the formulas of time of a well-formed game; raises TooLarge."""
    return "\n".join(_lines(Model(circuit), name)) + "\n"


def _lines(model: Model, name: str) -> Iterator[str]:
    circuit, seats = model.circuit, model.seats

    def wire_name(wire: Wire) -> str:
        if wire < circuit.first_move:
            return model.fluents[wire - 1]
        move = model.move_of(wire)
        return f"g{wire}" if move is None else f"(does_{model.roles[move[0]]} = {model.moves[move[0]][move[1]]})"

    def written(literal: int) -> str:
        return model.written(literal, _SYNTAX, wire_name)

    yield f"-- {name}, for NuSMV: a state is what holds, a step what everybody does."
    yield "MODULE main"
    yield "IVAR"
    for seat in seats:
        yield f"  does_{model.roles[seat]} : {{{', '.join([*model.moves[seat], 'stop'])}}};"
    yield "VAR"
    for fluent, term in zip(model.fluents, circuit.fluents, strict=True):
        yield f"  {fluent} : boolean; -- (true {term})"
    for seat in seats:
        yield f"  did_{model.roles[seat]} : {{{', '.join([*model.moves[seat], 'stop', 'start'])}}};"
        yield from (f"  {percept} : boolean;" for percept in model.percepts[seat])
    yield "DEFINE"
    for gate in model.gates([*model.of_states(), *model.of_steps()]):
        yield f"  g{gate} := {model.conjunction(gate, _SYNTAX, wire_name)};"
    yield f"  terminal := {written(circuit.terminal)};"
    for seat in seats:
        for legal, literal in zip(model.legal[seat], circuit.legal[seat], strict=True):
            yield f"  {legal} := {written(literal)};"
        for (goal, _), (_, literal) in zip(model.goals[seat], circuit.goals[seat], strict=True):
            yield f"  {goal} := {written(literal)};"
        yield f"  can_move_{model.roles[seat]} := {' | '.join(model.legal[seat]) or 'FALSE'};"
    yield f"  over := terminal | {' | '.join(f'!can_move_{role}' for role in model.roles)};"
    yield "ASSIGN"
    for number, fluent in enumerate(model.fluents):
        yield f"  init({fluent}) := {'TRUE' if model.is_initial(number) else 'FALSE'};"
        yield f"  next({fluent}) := case over : {fluent}; TRUE : {written(circuit.next[number])}; esac;"
    for seat in seats:
        role = model.roles[seat]
        yield f"  init(did_{role}) := start;"
        yield f"  next(did_{role}) := does_{role};"
        for percept, (_, literal) in zip(model.percepts[seat], circuit.percepts[seat], strict=True):
            yield f"  init({percept}) := FALSE;"
            yield f"  next({percept}) := case over : FALSE; TRUE : {written(literal)}; esac;"
    for seat in seats:
        role = model.roles[seat]
        yield f"TRANS over <-> (does_{role} = stop);"
        for move, legal in zip(model.moves[seat], model.legal[seat], strict=True):
            yield f"TRANS does_{role} = {move} -> {legal};"
    yield "CTLSPEC AF terminal;"
    yield "CTLSPEC AG (terminal | !over); -- everybody always has a legal move"
    for seat in model.players:
        for goal, value in model.goals[seat]:
            if value == 100:
                yield f"CTLSPEC EF {goal};"
