"""Readers of the models that are written for NuSMV, MCK and MCMAS: they check the form and carry the models out.

Each knows only as much of its language as the models use, and refuses everything else. A value is True, False or the
name of a move.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

Value = bool | str
State = dict[str, Value]
Condition = Callable[[State], Value]

_TOKEN = re.compile(r"\s*(/\\|\\/|<->|->|==|[A-Za-z_][A-Za-z0-9_.]*|[()!&|=])")
_AND, _OR, _NOT, _SAME = {"&", "/\\", "and"}, {"|", "\\/", "or"}, {"!", "neg"}, {"=", "=="}
_CONSTANTS: dict[str, Value] = {"TRUE": True, "FALSE": False, "True": True, "False": False, "true": True,
                                "false": False}


class Reader:
    """Conditions over variables and definitions, in any of the three languages."""

    def __init__(self) -> None:
        self.variables: dict[str, set[Value]] = {}
        self.definitions: dict[str, Condition] = {}

    def condition(self, text: str) -> Condition:
        tokens, place = [], 0
        text = text.strip()
        while place < len(text):
            match = _TOKEN.match(text, place)
            assert match is not None, f"no word of the language: {text[place:place + 30]!r}"
            tokens.append(match.group(1))
            place = match.end()
        found = self._either(tokens)
        assert not tokens, f"{tokens} is left of {text}"
        return found

    def _either(self, tokens: list[str]) -> Condition:
        parts = [self._both(tokens)]
        while tokens and tokens[0] in _OR:
            tokens.pop(0)
            parts.append(self._both(tokens))
        return parts[0] if len(parts) == 1 else lambda state: any(part(state) for part in parts)

    def _both(self, tokens: list[str]) -> Condition:
        parts = [self._one(tokens)]
        while tokens and tokens[0] in _AND:
            tokens.pop(0)
            parts.append(self._one(tokens))
        return parts[0] if len(parts) == 1 else lambda state: all(part(state) for part in parts)

    def _one(self, tokens: list[str]) -> Condition:
        token = tokens.pop(0)
        if token in _NOT:
            inner = self._one(tokens)
            return lambda state: not inner(state)
        if token == "(":
            inner = self._either(tokens)
            assert tokens.pop(0) == ")"
            return inner
        if tokens and tokens[0] in _SAME:
            tokens.pop(0)
            value = _CONSTANTS.get(tokens[0], tokens[0])
            tokens.pop(0)
            assert token in self.variables, f"{token} is no variable"
            assert value in self.variables[token], f"{token} is never {value}"
            return lambda state: state[token] == value
        if token in _CONSTANTS:
            constant = _CONSTANTS[token]
            return lambda state: constant
        if token in self.definitions:
            return self.definitions[token]
        assert self.variables.get(token) == {True, False}, f"{token} is neither defined nor true or false"
        return lambda state: state[token]

    def define(self, name: str, text: str) -> None:
        assert name not in {**self.definitions, **self.variables}, f"{name} is defined twice"
        self.definitions[name] = self.condition(text)

    def declare(self, name: str, values: str) -> None:
        assert re.fullmatch(r"[A-Za-z_][A-Za-z0-9_.]*", name), name
        assert name not in self.variables, f"{name} is declared twice"
        listed = {True, False} if values.lower() in ("boolean", "bool") else set(values.strip("{}").split(", "))
        self.variables[name] = set(listed)


@dataclass
class Machine:
    """A model that can be carried out: roles are called as in the model."""

    reader: Reader
    initial: State
    #: Whether a role may do a move in a state.
    may: Callable[[State, str, str], bool]
    step: Callable[[State, dict[str, str]], State]
    specifications: list[str] = field(default_factory=list)

    def holds(self, name: str, state: State) -> bool:
        return bool(self.reader.condition(name)(state))


def read_smv(text: str) -> Machine:
    reader, initial, following = Reader(), {}, {}
    guards: list[tuple[Condition, Condition, bool]] = []
    specifications: list[str] = []
    section = ""
    lines = [line.split("--")[0].strip() for line in text.splitlines()]
    assert lines[1] == "MODULE main"
    for line in filter(None, lines[2:]):
        if line in ("IVAR", "VAR", "DEFINE", "ASSIGN"):
            section = line
        elif line.startswith("CTLSPEC "):
            specifications.append(line.removeprefix("CTLSPEC ").removesuffix(";"))
        elif line.startswith("TRANS "):
            left, arrow, right = re.split(r" (<->|->) ", line.removeprefix("TRANS ").removesuffix(";"))
            guards.append((reader.condition(left), reader.condition(right), arrow == "<->"))
        elif section in ("IVAR", "VAR"):
            name, values = line.removesuffix(";").split(" : ")
            reader.declare(name, values)
        elif section == "DEFINE":
            name, body = line.removesuffix(";").split(" := ")
            reader.define(name, body)
        else:
            match = re.fullmatch(r"(init|next)\((\w+)\) := (.*);", line)
            assert section == "ASSIGN", line
            assert match is not None, line
            kind, name, body = match.groups()
            if kind == "init":
                initial[name] = _CONSTANTS.get(body, body)
                assert initial[name] in reader.variables[name]
            elif body.startswith("case "):
                inner = re.fullmatch(r"case over : (.*); TRUE : (.*); esac", body)
                assert inner is not None, body
                following[name] = (reader.condition(inner[1]), reader.condition(inner[2]))
            else:
                # What was done is what is being done.
                assert reader.variables[body] < reader.variables[name]
                following[name] = (_input(body),) * 2
    inputs = {name for name in reader.variables if name.startswith("does_")}
    assert set(following) == set(initial) == set(reader.variables) - inputs
    over = reader.condition("over")

    def fits(state: State) -> bool:
        return all(bool(a(state)) == bool(b(state)) if both else (not a(state) or bool(b(state)))
                   for a, b, both in guards)

    def may(state: State, role: str, move: str) -> bool:
        # The others' moves have no part in what a role may do.
        chosen = {**state, **dict.fromkeys(inputs, "stop" if over(state) else "none"), f"does_{role}": move}
        return move in reader.variables[f"does_{role}"] and fits(chosen)

    def step(state: State, joint: dict[str, str]) -> State:
        chosen = {**state, **{f"does_{role}": move for role, move in joint.items()}}
        assert fits(chosen)
        return {name: (ended if over(chosen) else goes_on)(chosen) for name, (ended, goes_on) in following.items()}

    return Machine(reader, initial, may, step, specifications)


def _input(name: str) -> Condition:
    return lambda state: state[name]


def read_mck(text: str) -> Machine:
    reader = Reader()
    kinds: dict[str, str] = {"Bool": "Bool"}
    protocols: dict[str, list[tuple[Condition, str]]] = {}
    specifications = re.findall(r"^spec_(?:obs_ctl|spr) = (.*)$", text, re.MULTILINE)
    for name, values in re.findall(r"^type (\w+) = (\{.*\})$", text, re.MULTILINE):
        kinds[name] = values
    for name, kind in re.findall(r"^(\w+) : (\w+)$", text, re.MULTILINE):
        reader.declare(name, kinds[kind])
    for name, body in re.findall(r"^define (\w+) = (.*)$", text, re.MULTILINE):
        reader.define(name, body)
    first = re.search(r"^init_cond = (.*?)^agent", text, re.MULTILINE | re.DOTALL)
    assert first is not None
    initial: State = {}
    for part in first[1].split("/\\"):
        name, value = part.strip().split(" == ")
        initial[name] = _CONSTANTS.get(value, value)
        assert initial[name] in reader.variables[name]
    assert initial.keys() == reader.variables.keys()
    for agent, protocol, handed in re.findall(r'^agent Player_(\w+) "play_(\w+)" \((.*)\)$', text, re.MULTILINE):
        assert agent == protocol
        found = re.search(rf'^protocol "play_{agent}" \(([^\n]*)\)\nbegin\n  do\n(.*?)\n  od\nend', text,
                          re.MULTILINE | re.DOTALL)
        assert found is not None
        assert [part.split(" : ")[0] for part in found[1].split(", ")] == handed.split(", ")
        seen = {part.split(" : ")[0] for part in found[1].split(", ") if " : observable " in part}
        assert seen == {name for name in reader.variables if name == f"did_{agent}"
                        or name.startswith(f"sees_{agent}_")}
        protocols[agent] = []
        for choice in found[2].split("[]"):
            condition, move = re.fullmatch(r"(.*) -> <<(\w+)>>", choice.strip()).groups()  # type: ignore[union-attr]
            protocols[agent].append((reader.condition(condition), move))
    program = re.search(r"^transitions\nbegin\n(.*?)\nend$", text, re.MULTILINE | re.DOTALL)
    assert program is not None
    deeds = re.findall(r"if Player_(\w+)\.(\w+) -> did_(\w+) := (\w+) fi;", program[1])
    goes_on, ends = re.search(r"if neg over -> begin\n(.*?)\n  end\n  \[\] over -> begin\n(.*?)\n  end fi", program[1],
                              re.DOTALL).groups()  # type: ignore[union-attr]
    over = reader.condition("over")

    def assigned(body: str) -> list[tuple[str, Condition]]:
        found = []
        for line in filter(lambda line: line.strip() != "skip", body.split(";")):
            name, value = line.strip().split(" := ")
            assert name in reader.variables
            found.append((name, reader.condition(value)))
        return found

    bodies = assigned(goes_on), assigned(ends)

    def may(state: State, role: str, move: str) -> bool:
        name = f"Stop_{role}" if move == "stop" else f"M_{role}_{move}"
        return any(move == name and condition(state) for condition, move in protocols[role])

    def step(state: State, joint: dict[str, str]) -> State:
        later = dict(state)
        chosen = {role: f"Stop_{role}" if move == "stop" else f"M_{role}_{move}" for role, move in joint.items()}
        for agent, move, did, value in deeds:
            assert (agent, move) == (did, value)
            if chosen[agent] == move:
                later[f"did_{agent}"] = value
        # One assignment after the other, as it is written.
        for name, condition in bodies[bool(over(state))]:
            later[name] = condition(later)
        return later

    return Machine(reader, initial, may, step, specifications)


def read_ispl(text: str) -> Machine:
    reader, initial = Reader(), {}
    assert "Semantics=SingleAssignment;" in text.splitlines()[1]
    agents = re.findall(r"^Agent (\w+)\n(.*?)^end Agent$", text, re.MULTILINE | re.DOTALL)
    assert agents[0][0] == "Environment"
    actions: dict[str, set[str]] = {}
    for name, body in agents:
        owner = "" if name == "Environment" else f"{name}."
        for variable, values in re.findall(r"^    (\w+) : (boolean|\{.*\});$", _part("Vars", body), re.MULTILINE):
            reader.declare(owner + variable, values)
        listed = re.search(r"^  Actions = \{(.*)\};$", body, re.MULTILINE)
        assert listed is not None
        assert f"Other : {{{listed[1]}}};" in body
        actions[name] = set(listed[1].split(", "))
        if owner:
            reader.variables[f"{name}.Action"] = set(actions[name])
    lines: list[tuple[str, Value, Condition]] = []
    #: For every role why what it does spoils the match.
    reasons: dict[str, list[Condition]] = {name.removeprefix("Player_"): [] for name, _ in agents[1:]}
    for name, body in agents:
        owner = "" if name == "Environment" else f"{name}."
        for variable, value, condition in re.findall(r"^    (\w+)=(\w+) if (.*);$", _part("Evolution", body),
                                                     re.MULTILINE):
            if owner:
                condition = re.sub(r"^Action=", f"{name}.Action=", condition)
            assert _CONSTANTS.get(value, value) in reader.variables[owner + variable]
            lines.append((owner + variable, _CONSTANTS.get(value, value), reader.condition(condition)))
            if variable == "spoilt":
                (role,) = set(re.findall(r"Player_(\w+)\.Action", condition))
                reasons[role].append(lines[-1][2])
    for name, body in re.findall(r"^  (\w+) if (.*);$", _part("Evaluation", text), re.MULTILINE):
        if name != "spoilt":
            reader.define(name, body.replace("Environment.", ""))
    for part in _part("InitStates", text).strip().removesuffix(";").split(" and\n"):
        name, value = part.strip().removeprefix("Environment.").split("=")
        initial[name] = _CONSTANTS.get(value, value)
    assert initial.keys() == {name for name in reader.variables if not name.endswith(".Action")}

    def step(state: State, joint: dict[str, str]) -> State:
        chosen = {**state, **{f"Player_{role}.Action": move for role, move in joint.items()}}
        later = dict(state)
        for name in state:
            values = {value for variable, value, condition in lines if variable == name and condition(chosen)}
            assert len(values) <= 1, f"{name} becomes {values}"
            later[name] = values.pop() if values else state[name]
        return later

    def may(state: State, role: str, move: str) -> bool:
        # Whoever does what is not legal spoils the match, whatever the others do.
        if move not in actions[f"Player_{role}"]:
            return False
        return not any(condition({**state, f"Player_{role}.Action": move}) for condition in reasons[role])

    formulas = [line.strip().removesuffix(";") for line in _part("Formulae", text).strip().splitlines()]
    return Machine(reader, initial, may, step, formulas)


def _part(name: str, text: str) -> str:
    found = re.search(rf"^ *{name}:?\n(.*?)^ *end {name}$", text, re.MULTILINE | re.DOTALL)
    assert found is not None, f"there is no {name}"
    return found[1]
