"""A game for MCK, the model checker of knowledge: its agents remember everything, as roles do.

The environment keeps what held before a step and what everybody did, and works out from it what holds afterwards; an
agent observes what it did and what it is told.

In the literature: Ruan and Thielscher, "Model checking games in GDL-II: the Meier game" (2013), whose translation this
follows; Gammie and van der Meyden, "MCK: model checking the logic of knowledge" (2004).
"""

from __future__ import annotations

from collections.abc import Iterator

from ludorum.circuit.circuit import Circuit, Literal, Wire
from ludorum.verify.export.model import Model, Syntax

_AND, _OR = " /\\ ", " \\/ "
_SYNTAX = Syntax("neg {}", _AND, "True", "False")


def to_mck(circuit: Circuit, name: str = "game") -> str:
    """The model, with the six formulas of a well-formed game with secrets; raises TooLarge."""
    return "\n".join(_Script(Model(circuit)).lines(name)) + "\n"


class _Script:
    def __init__(self, model: Model) -> None:
        self._model = model

    def _now(self, wire: Wire) -> str:
        """A wire of the state as it is."""
        return self._model.fluents[wire - 1] if wire < self._model.circuit.first_move else f"g{wire}"

    def _stepping(self, wire: Wire) -> str:
        """A wire of the step that is being made."""
        if wire < self._model.circuit.first_move:
            return f"old_{self._model.fluents[wire - 1]}"
        move = self._model.move_of(wire)
        return f"s{wire}" if move is None else f"(did_{self._model.roles[move[0]]} == {self._move(*move)})"

    def _move(self, seat: int, number: int) -> str:
        return f"M_{self._model.roles[seat]}_{self._model.moves[seat][number]}"

    def _held(self, literal: Literal) -> str:
        return self._model.written(literal, _SYNTAX, self._now)

    def lines(self, name: str) -> Iterator[str]:
        model, circuit = self._model, self._model.circuit
        yield f"-- {name}, for MCK: agents know what they did and were told, and forget nothing."
        for seat in model.seats:
            role = model.roles[seat]
            moves = [self._move(seat, number) for number in range(len(model.moves[seat]))]
            yield f"type Act_{role} = {{{', '.join([*moves, f'Stop_{role}', f'Init_{role}'])}}}"
        first = model.initially()
        variables: list[tuple[str, str, str]] = []
        for number, fluent in enumerate(model.fluents):
            variables += [(fluent, "Bool", str(model.is_initial(number))), (f"old_{fluent}", "Bool", "False")]
        is_over = first(circuit.terminal)
        for seat in model.seats:
            role = model.roles[seat]
            variables.append((f"did_{role}", f"Act_{role}", f"Init_{role}"))
            variables += [(percept, "Bool", "False") for percept in model.percepts[seat]]
            values = [first(literal) for literal in circuit.legal[seat]]
            is_over = is_over or not any(values)
            variables += [(legal, "Bool", str(value))
                          for legal, value in zip(model.legal[seat], values, strict=True)]
        variables += [("terminal", "Bool", str(first(circuit.terminal))), ("over", "Bool", str(is_over))]
        yield from (f"{variable} : {kind}" for variable, kind, _ in variables)
        for gate in model.gates(model.of_states()):
            yield f"define g{gate} = {model.conjunction(gate, _SYNTAX, self._now)}"
        for gate in model.gates(model.of_steps()):
            yield f"define s{gate} = {model.conjunction(gate, _SYNTAX, self._stepping)}"
        for seat in model.seats:
            for (goal, _), (_, literal) in zip(model.goals[seat], circuit.goals[seat], strict=True):
                yield f"define {goal} = {self._held(literal)}"
        yield "init_cond = " + " /\\\n  ".join(f"{variable} == {value}" for variable, _, value in variables)
        for seat in model.seats:
            yield f'agent Player_{model.roles[seat]} "play_{model.roles[seat]}" ({", ".join(self._shown(seat))})'
        yield from self._transitions()
        yield from self._specifications()
        for seat in model.seats:
            yield from self._protocol(seat)

    def _shown(self, seat: int) -> list[str]:
        """The variables that an agent is handed."""
        model = self._model
        return ["over", *model.legal[seat], *model.percepts[seat], f"did_{model.roles[seat]}"]

    def _transitions(self) -> Iterator[str]:
        model, circuit = self._model, self._model.circuit
        lines = []
        for seat in model.seats:
            role = model.roles[seat]
            for number in range(len(model.moves[seat])):
                move = self._move(seat, number)
                lines.append(f"if Player_{role}.{move} -> did_{role} := {move} fi")
            lines.append(f"if Player_{role}.Stop_{role} -> did_{role} := Stop_{role} fi")
        step = [f"old_{fluent} := {fluent}" for fluent in model.fluents]
        step += [f"{fluent} := {model.written(literal, _SYNTAX, self._stepping)}"
                 for fluent, literal in zip(model.fluents, circuit.next, strict=True)]
        for seat in model.seats:
            step += [f"{percept} := {model.written(literal, _SYNTAX, self._stepping)}"
                     for percept, (_, literal) in zip(model.percepts[seat], circuit.percepts[seat], strict=True)]
        step.append(f"terminal := {self._held(circuit.terminal)}")
        stuck = []
        for seat in model.seats:
            step += [f"{legal} := {self._held(literal)}"
                     for legal, literal in zip(model.legal[seat], circuit.legal[seat], strict=True)]
            stuck.append(f"neg ({_OR.join(model.legal[seat]) or 'False'})")
        step.append(f"over := {_OR.join(['terminal', *stuck])}")
        told = [f"{percept} := False" for seat in model.seats for percept in model.percepts[seat]] or ["skip"]
        lines.append("if neg over -> begin\n    " + ";\n    ".join(step) + "\n  end\n  [] over -> begin\n    "
                     + ";\n    ".join(told) + "\n  end fi")
        yield "transitions\nbegin\n  " + ";\n  ".join(lines) + "\nend"

    def _specifications(self) -> Iterator[str]:
        model = self._model
        yield "spec_obs_ctl = AF terminal"
        yield "spec_obs_ctl = AG (terminal \\/ neg over)"
        for seat in model.players:
            yield from (f"spec_obs_ctl = EF {goal}" for goal, value in model.goals[seat] if value == 100)
        for seat in model.players:
            agent = f"Player_{model.roles[seat]}"
            legal = [self._whether(agent, atom) for atom in model.legal[seat]]
            goals = [self._whether(agent, atom) for atom, _ in model.goals[seat]]
            yield f"spec_spr = G (terminal => Knows {agent} terminal)"
            if legal:
                yield f"spec_spr = G (terminal \\/ ({_AND.join(legal)}))"
            if goals:
                yield f"spec_spr = G (terminal => ({_AND.join(goals)}))"

    @staticmethod
    def _whether(agent: str, atom: str) -> str:
        return f"((Knows {agent} {atom}) \\/ (Knows {agent} (neg {atom})))"

    def _protocol(self, seat: int) -> Iterator[str]:
        model, role = self._model, self._model.roles[seat]
        kinds = ["over : Bool", *(f"{legal} : Bool" for legal in model.legal[seat]),
                 *(f"{percept} : observable Bool" for percept in model.percepts[seat]),
                 f"did_{role} : observable Act_{role}"]
        yield f'protocol "play_{role}" ({", ".join(kinds)})'
        yield "begin\n  do"
        choices = [f"neg over /\\ {legal} -> <<{self._move(seat, number)}>>"
                   for number, legal in enumerate(model.legal[seat])]
        yield "     " + "\n  [] ".join([*choices, f"over -> <<Stop_{role}>>"])
        yield "  od\nend"
