"""The same game in other words, as competitions send it, so that no player can go by the names."""

from __future__ import annotations

import random
import re

from ludorum.gdl.parsing import read
from ludorum.gdl.printing import to_kif
from ludorum.gdl.rulesheet import Formula, Not, Rule, Rulesheet
from ludorum.gdl.terms import Argument, Term, Variable
from ludorum.gdl.words import CONNECTIVES, HINTS, KEYWORDS, RANDOM

_KEPT = CONNECTIVES | HINTS | KEYWORDS.keys() | {RANDOM}

# Numbers keep their names: goal values must, any number may be used as one, and competitions keep them too.
_NUMBER = re.compile(r"-?[0-9]+", re.ASCII)

_CONSONANTS = "bdfghjklmnprstvwz"
_VOWELS = "aeiou"


def scramble(rulesheet: Rulesheet, seed: int) -> Rulesheet:
    """The same rules in the same order, every symbol and variable renamed but keywords and numbers.

    One old name always becomes one new name, and two never become the same. The new names depend on the seed
    and on the shape of the rules only: scrambling twice is scrambling once with the second seed.
    """
    words = _Words(seed)
    rules = tuple(Rule(words.term(rule.head), tuple(map(words.formula, rule.body)))
                  for rule in rulesheet.rules)
    # Read back, so that the spans of the new rules belong to their own text.
    return read(to_kif(Rulesheet(rules)), rulesheet.source.name, syntax="kif")


class _Words:
    """New names, given out as old ones are first met."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.symbols: dict[str, str] = {}
        self.variables: dict[str, str] = {}
        self.taken = set(_KEPT)

    def symbol(self, name: str) -> str:
        if name in _KEPT or _NUMBER.fullmatch(name):
            return name
        if name not in self.symbols:
            self.symbols[name] = self._new_word()
        return self.symbols[name]

    def term(self, term: Term) -> Term:
        return Term(self.symbol(term.name), tuple(map(self.argument, term.args)))

    def argument(self, argument: Argument) -> Argument:
        if isinstance(argument, Term):
            return self.term(argument)
        if argument.name not in self.variables:
            self.variables[argument.name] = self._new_word()
        return Variable(self.variables[argument.name])

    def formula(self, formula: Formula) -> Formula:
        if isinstance(formula, Term):
            return self.term(formula)
        if isinstance(formula, Not):
            return Not(self.formula(formula.formula))
        return type(formula)(tuple(map(self.formula, formula.formulas)))

    def _new_word(self) -> str:
        syllables = 2
        while True:
            word = "".join(self.random.choice(_CONSONANTS) + self.random.choice(_VOWELS)
                           for _ in range(syllables))
            if word not in self.taken:
                self.taken.add(word)
                return word
            # A clash becomes likely as words run out; longer ones never do.
            syllables += 1
