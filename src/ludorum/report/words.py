"""Rules in words: every rule of a rulesheet as an English sentence.

What is known of the fluents helps: `(true (cell ?x ?y b))` reads "cell (x, y) holds b" once `cell` is known to be a
board. Names are used as they are; what they mean is up to the reader.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ludorum.analysis.structures import FluentStructure, Structures
from ludorum.gdl.rulesheet import And, Formula, Not, Or, Rule, Rulesheet
from ludorum.gdl.terms import Argument, Term, Variable

#: The headings, in the order in which a person learns a game, and the relations under each.
_HEADINGS = (
    ("Who plays", ("role",)),
    ("How it begins", ("init",)),
    ("What may be done", ("legal",)),
    ("What happens then", ("next",)),
    ("What is told", ("sees",)),
    ("When it ends", ("terminal",)),
    ("What it is worth", ("goal",)),
)
_OTHER = "What the other words mean"
#: More facts of one kind are counted instead.
_MOST_FACTS = 12


@dataclass(frozen=True, slots=True)
class Chapter:
    """Some of the rules, each with its sentence."""

    title: str
    #: Of each a sentence, and the rule itself as it is written.
    sentences: tuple[tuple[str, str], ...]


def in_words(rules: Rulesheet, known: Structures | None = None) -> tuple[Chapter, ...]:
    """All rules of a rulesheet as sentences, chapter by chapter."""
    told = {name for _, names in _HEADINGS for name in names}
    speaker = _Speaker(known)
    chapters = [Chapter(title, tuple(_sentences([rule for rule in rules.rules if rule.head.name in names], speaker)))
                for title, names in _HEADINGS]
    others = [rule for rule in rules.rules if rule.head.name not in told and rule.head.name not in ("base", "input")]
    chapters.append(Chapter(_OTHER, tuple(_sentences(others, speaker))))
    return tuple(chapter for chapter in chapters if chapter.sentences)


def _sentences(rules: Sequence[Rule], speaker: _Speaker) -> Iterator[tuple[str, str]]:
    """A sentence a rule; facts of one relation are gathered into one."""
    facts: dict[str, list[Rule]] = {}
    for rule in rules:
        if not rule.body:
            facts.setdefault(rule.head.name, []).append(rule)
    for rule in rules:
        if rule.body:
            yield speaker.rule(rule), _written(rule)
        elif facts.get(rule.head.name):
            of_name = facts.pop(rule.head.name)
            shown = [speaker.atom(fact.head) for fact in of_name[:_MOST_FACTS]]
            more = len(of_name) - len(shown)
            text = "; ".join(shown) + (f"; and {more} more like these" if more else "")
            yield _sentence(text), " ".join(_written(fact) for fact in of_name[:_MOST_FACTS])


class _Speaker:
    """Says atoms and formulas, as well as is known what they are about."""

    def __init__(self, known: Structures | None) -> None:
        self._known = known

    def rule(self, rule: Rule) -> str:
        return _sentence(f"{self.atom(rule.head)} if {self._joined([self.formula(part) for part in rule.body])}")

    def formula(self, formula: Formula, *, holds: bool = True) -> str:
        if isinstance(formula, Term):
            return self.atom(formula, holds=holds)
        if isinstance(formula, Not):
            return self.formula(formula.formula, holds=not holds)
        word = "and" if isinstance(formula, And) else "or"
        text = "either " * isinstance(formula, Or) + f" {word} ".join(map(self.formula, formula.formulas))
        return text if holds else f"it is not so that {text}"

    def atom(self, atom: Term, *, holds: bool = True) -> str:
        no = "" if holds else " not"
        match atom.name, atom.args:
            case "role", (who,):
                return f"{_say(who)} {_does('plays', holds)}"
            case "init", (Term() as fluent,):
                return f"at first {self.fluent(fluent, holds=holds)}"
            case "true", (Term() as fluent,):
                return self.fluent(fluent, holds=holds)
            case "next", (Term() as fluent,):
                return f"next {self.fluent(fluent, holds=holds)}"
            case ("init" | "true" | "next"), (what,):
                moment = {"init": "at first ", "true": "", "next": "next "}[atom.name]
                return f"{moment}{_say(what)} {_does('holds', holds)}"
            case "legal", (who, move):
                return f"{_say(who)} may{no} play {_say(move)}"
            case "does", (who, move):
                return f"{_say(who)} {_does('plays', holds)} {_say(move)}"
            case "goal", (who, value):
                return f"it is{no} worth {_say(value)} to {_say(who)}"
            case "sees", (who, what):
                return f"{_say(who)} is{no} told {_say(what)}"
            case "terminal", ():
                return f"the game is{no} over"
            case "distinct", (one, other):
                return f"{_say(one)} is{' not' if holds else ''} {_say(other)}"
        return self._relation(atom, holds=holds)

    def fluent(self, fluent: Term, *, holds: bool = True) -> str:
        """What a fluent says, by what it is there for."""
        structure = self._known.fluent(fluent.name, len(fluent.args)) if self._known else None
        if structure is None or structure.kind == "unknown" or any(len(path) > 1 for path in structure.table.paths):
            return f"{_say(fluent)} {_does('holds', holds)}" if not fluent.args else "not " * (not holds) + _say(fluent)
        inputs, outputs = ([_say(fluent.args[column]) for column in columns]
                           for columns in (structure.input_columns, structure.output_columns))
        return _by_kind(structure, inputs, outputs, holds=holds)

    def _relation(self, atom: Term, *, holds: bool) -> str:
        known = next((relation for relation in (self._known.relations if self._known else ())
                      if relation.name == atom.name), None)
        if known is not None and len(atom.args) == 2:
            one, other = map(_say, atom.args)
            return (f"{other} {_does('comes', holds)} right after {one}" if known.is_successor
                    else f"{one} {_does('comes', holds)} before {other}")
        return "not " * (not holds) + (_say(atom) if atom.args else _name(atom.name))

    @staticmethod
    def _joined(parts: Sequence[str]) -> str:
        return ", ".join(parts[:-1]) + (" and " if len(parts) > 1 else "") + parts[-1]


def _by_kind(structure: FluentStructure, inputs: Sequence[str], outputs: Sequence[str], *, holds: bool) -> str:
    name, place, content = _name(structure.name), ", ".join(inputs), " ".join(outputs)
    verb = "is" if holds else "is not"
    match structure.kind:
        case "board":
            return f"{name} ({place}) {_does('holds', holds)} {content}"
        case "pieces":
            return (f"{name} of {place}" if inputs else name) + f" {verb} at ({', '.join(outputs)})"
        case "control":
            return f"it {verb} the turn of {content or place}"
        case "step counter":
            return f"the step {verb} {content}"
        case "marks":
            return f"{name} ({place}) {_does('holds', holds)}"
        case "flag":
            return f"{name} {_does('holds', holds)}"
    return f"{name} of {place} {verb} {content}" if inputs else f"{name} {verb} {content}"


def _does(verb: str, holds: bool) -> str:
    """A verb in the third person, denied or not."""
    return verb if holds else f"does not {verb.removesuffix('s')}"


def _say(argument: Argument) -> str:
    """A term without parentheses as far as possible; a variable by its name."""
    if isinstance(argument, Variable):
        return argument.name
    if not argument.args:
        return argument.name
    return f"{_name(argument.name)} ({', '.join(map(_say, argument.args))})"


def _name(name: str) -> str:
    return name.replace("_", " ")


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + "."


def _written(rule: Rule) -> str:
    from ludorum.gdl.printing import to_kif

    return " ".join(to_kif(Rulesheet((rule,))).split())
