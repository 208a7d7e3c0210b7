"""A game for MCMAS, in ISPL: an environment with the state, and an agent for every role.

What an agent may do can depend only on what it sees there. So every agent may do anything, and whoever does what is
not legal spoils the match: formulas speak of matches that are not spoiled. And agents there remember nothing but their
last move and what they were told then, where roles in GDL-II remember all: what is known there is known here, not the
other way round.

In the literature: Lomuscio, Qu, Raimondi, "MCMAS: an open-source model checker for the verification of multi-agent
systems" (2017).
"""

from __future__ import annotations

from collections.abc import Iterator

from ludorum.circuit.circuit import Circuit, Literal
from ludorum.errors import TooLarge
from ludorum.verify.export.model import Model

# The language has no definitions, so that conditions are written out; no longer than so many letters together.
_MOST_LETTERS = 20_000_000
_TRUE, _FALSE = "(spoilt=true or spoilt=false)", "(spoilt=true and spoilt=false)"


def to_ispl(circuit: Circuit, name: str = "game", *, most_letters: int = _MOST_LETTERS) -> str:
    """The model, with the formulas of a well-formed game; raises TooLarge."""
    return "\n".join(_Script(Model(circuit), most_letters).lines(name)) + "\n"


class _Script:
    def __init__(self, model: Model, most_letters: int) -> None:
        self._model, self._most_letters = model, most_letters
        self._known: dict[tuple[Literal, str], str] = {}
        self._letters = 0

    def _written(self, literal: Literal, owner: str = "") -> str:
        """A condition, written out; the variables of the environment are its own, or belong to `owner`."""
        key = literal, owner
        if key not in self._known:
            self._known[key] = found = self._made(literal, owner)
            if len(found) > self._most_letters:
                raise TooLarge("conditions are too long for a language without definitions")
        return self._known[key]

    def _made(self, literal: Literal, owner: str) -> str:
        model, wire = self._model, literal >> 1
        if wire == 0:
            return (_TRUE if literal else _FALSE).replace("spoilt", f"{owner}spoilt")
        if wire < model.circuit.first_move:
            return f"{owner}{model.fluents[wire - 1]}={'false' if literal & 1 else 'true'}"
        move = model.move_of(wire)
        if move is not None:
            plain = f"Player_{model.roles[move[0]]}.Action={model.moves[move[0]][move[1]]}"
            return f"!({plain})" if literal & 1 else plain
        if literal & 1:
            # A negated conjunction reads better as a disjunction.
            return self._joined(" or ", [self._written(part ^ 1, owner) for part in model.circuit.inputs_of(wire)])
        return self._joined(" and ", [self._written(part, owner) for part in model.circuit.inputs_of(wire)])

    def _joined(self, word: str, parts: list[str]) -> str:
        if sum(map(len, parts)) > self._most_letters:
            raise TooLarge("conditions are too long for a language without definitions")
        if not parts:
            return _TRUE if word == " and " else _FALSE
        return parts[0] if len(parts) == 1 else f"({word.join(parts)})"

    def _is_over(self, owner: str = "") -> str:
        circuit = self._model.circuit
        stuck = [self._joined(" and ", [self._written(literal ^ 1, owner) for literal in legal])
                 for legal in circuit.legal]
        return self._joined(" or ", [self._written(circuit.terminal, owner), *stuck])

    def lines(self, name: str) -> Iterator[str]:
        for line in self._lines(name):
            self._letters += len(line)
            if self._letters > self._most_letters:
                raise TooLarge("conditions are too long for a language without definitions")
            yield line

    def _lines(self, name: str) -> Iterator[str]:
        model, circuit = self._model, self._model.circuit
        yield f"-- {name}, for MCMAS: agents remember their last move and what they were told then."
        # Every line is about one variable, which keeps its value where none applies.
        yield "Semantics=SingleAssignment;"
        yield "Agent Environment\n  Vars:"
        percepts = [(percept, literal) for names, literals in zip(model.percepts, circuit.percepts, strict=True)
                    for percept, (_, literal) in zip(names, literals, strict=True)]
        for variable in (*model.fluents, *(percept for percept, _ in percepts), "spoilt"):
            yield f"    {variable} : boolean;"
        yield "  end Vars\n  Actions = {none};\n  Protocol:\n    Other : {none};\n  end Protocol\n  Evolution:"
        over = self._is_over()
        for fluent, literal in zip(model.fluents, circuit.next, strict=True):
            yield f"    {fluent}=true if !({over}) and {self._written(literal)};"
            yield f"    {fluent}=false if !({over}) and {self._written(literal ^ 1)};"
        for percept, literal in percepts:
            yield f"    {percept}=true if !({over}) and {self._written(literal)};"
            yield f"    {percept}=false if {over} or {self._written(literal ^ 1)};"
        for seat in model.seats:
            agent = f"Player_{model.roles[seat]}.Action"
            yield f"    spoilt=true if ({over}) and !({agent}=stop);"
            yield f"    spoilt=true if !({over}) and {agent}=stop;"
            for move, literal in zip(model.moves[seat], circuit.legal[seat], strict=True):
                yield f"    spoilt=true if {agent}={move} and {self._written(literal ^ 1)};"
        yield "  end Evolution\nend Agent"
        for seat in model.seats:
            yield from self._agent(seat)
        yield "Evaluation"
        yield f"  terminal if {self._written(circuit.terminal, 'Environment.')};"
        yield f"  over if {self._is_over('Environment.')};"
        yield "  spoilt if Environment.spoilt=true;"
        for seat in model.seats:
            for legal, literal in zip(model.legal[seat], circuit.legal[seat], strict=True):
                yield f"  {legal} if {self._written(literal, 'Environment.')};"
            for (goal, _), (_, literal) in zip(model.goals[seat], circuit.goals[seat], strict=True):
                yield f"  {goal} if {self._written(literal, 'Environment.')};"
        yield "end Evaluation\nInitStates"
        first = [f"Environment.{fluent}={'true' if model.is_initial(number) else 'false'}"
                 for number, fluent in enumerate(model.fluents)]
        first += [f"Environment.{percept}=false" for percept, _ in percepts] + ["Environment.spoilt=false"]
        first += [f"Player_{role}.did=start" for role in model.roles]
        yield "  " + " and\n  ".join(first) + ";"
        yield "end InitStates\nGroups"
        for seat in model.players:
            yield f"  only_{model.roles[seat]} = {{Player_{model.roles[seat]}}};"
        yield "end Groups\nFormulae"
        yield from self._formulas()
        yield "end Formulae"

    def _agent(self, seat: int) -> Iterator[str]:
        model, role = self._model, self._model.roles[seat]
        moves = [*model.moves[seat], "stop"]
        yield f"Agent Player_{role}"
        if model.percepts[seat]:
            yield f"  Lobsvars = {{{', '.join(model.percepts[seat])}}};"
        yield f"  Vars:\n    did : {{{', '.join([*moves, 'start'])}}};\n  end Vars"
        yield f"  Actions = {{{', '.join(moves)}}};"
        yield f"  Protocol:\n    Other : {{{', '.join(moves)}}};\n  end Protocol\n  Evolution:"
        yield from (f"    did={move} if Action={move};" for move in moves)
        yield "  end Evolution\nend Agent"

    def _formulas(self) -> Iterator[str]:
        model = self._model
        yield "  AF (terminal or spoilt);"
        yield "  AG (spoilt or terminal or !over);"
        for seat in model.players:
            yield from (f"  EF ({goal} and !spoilt);" for goal, value in model.goals[seat] if value == 100)
        for seat in model.players:
            agent = f"Player_{model.roles[seat]}"
            yield f"  AG (spoilt or !terminal or K({agent}, spoilt or terminal));"
            for legal in model.legal[seat]:
                yield f"  AG (spoilt or terminal or K({agent}, spoilt or {legal}) or K({agent}, spoilt or !{legal}));"
            for goal, _ in model.goals[seat]:
                yield f"  AG (spoilt or !terminal or K({agent}, spoilt or {goal}) or K({agent}, spoilt or !{goal}));"
