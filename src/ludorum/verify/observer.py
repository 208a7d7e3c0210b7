"""A formula along matches as a property of states: the game, and beside it somebody who says what is still to come.

To refute that something holds of all matches is to find one of which the opposite holds. An observer follows the match
and guesses at every step what is to hold from the next moment on, which is due then: a G stays due, an F until it comes
about. A match refutes where nothing is due any more; or where it ends, and what is due holds there for ever.

In the literature: the tableau of a formula of linear time (Clarke, Grumberg, Hamaguchi 1997), on finite traces.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ludorum._core import GateBuilder
from ludorum.analysis.proofs.encoding.property_circuit import PropertyCircuit
from ludorum.circuit.circuit import FALSE, TRUE, Circuit, Literal
from ludorum.gdl.terms import Term
from ludorum.verify.formulas import (
    DUAL,
    Along,
    Formula,
    Implies,
    Junction,
    Not,
    Paths,
    Until,
    both_ways,
    conjunction,
    disjunction,
    is_of_states,
    negation,
    roles_that_know,
    subformulas,
)
from ludorum.verify.twins import final, one_moment, transferred, value_of


class Observed:
    """A game that is exactly encoded, with an observer of matches that fulfil a formula."""

    def __init__(self, model: PropertyCircuit, formula: Formula, literal: Callable[[Term], Literal]) -> None:
        """Raises ValueError where the formula is of another kind."""
        self._base, self._literal = model, literal
        formula = positive(formula)
        self._formula = formula
        self._promises = list(dict.fromkeys(_promised(formula)))
        #: Whether the opposite shows before the match is over: then it need not end.
        self.shows_early = not any(isinstance(part, Along) and part.word == "G" for part in subformulas(formula))
        self._build()

    def known(self, formulas: Iterable[Literal]) -> list[Literal]:
        return [self._at(formula) for formula in formulas]

    def _at(self, literal: Literal) -> Literal:
        return transferred(self._base, self._map, literal, self._builder.all_of)

    def _build(self) -> None:
        base, promises = self._base.circuit, len(self._promises)
        fluents, count = len(base.fluents), sum(map(len, base.moves))
        first_move = 1 + fluents + promises + 2
        self._map: dict[int, Literal] = {0: FALSE}
        self._map |= {1 + place: 2 * (1 + place) for place in range(fluents)}
        self._map |= {base.first_move + place: 2 * (first_move + place) for place in range(count)}
        self._builder: GateBuilder | PropertyCircuit = GateBuilder(first_move + count + 2 * promises)
        all_of, any_of = self._builder.all_of, self._builder.any_of
        due = [2 * (1 + fluents + place) for place in range(promises)]
        guessed = [2 * (first_move + count + 2 * place + 1) for place in range(promises)]
        begun, broken = (2 * (1 + fluents + promises + place) for place in range(2))
        # The whole formula is due at the beginning.
        kept = all_of(any_of([due_now ^ 1, self._now(promise, guessed)])
                      for promise, due_now in zip(self._promises, due, strict=True))
        at_first = any_of([begun, self._now(self._formula, guessed)])
        over = self._at(final(self._base))
        holds_for_ever = all_of([*(any_of([due_now ^ 1, self._settled(promise)])
                                   for promise, due_now in zip(self._promises, due, strict=True)),
                                 any_of([begun, self._settled(self._formula)])])
        following = [*map(self._at, base.next), *guessed, TRUE, any_of([broken, all_of([kept, at_first]) ^ 1])]
        nothing_due = all_of([begun, *(due_now ^ 1 for due_now in due)])
        found = all_of([broken ^ 1, any_of([nothing_due, all_of([over, holds_for_ever])])])
        terminal = any_of([self._at(base.terminal), broken])
        legal = [tuple(map(self._at, of_role)) for of_role in base.legal] + [(TRUE, TRUE)] * promises
        observers = [Term("observer", (Term(str(place)),)) for place in range(promises)]
        self.roles = len(base.roles)
        builder = self._builder
        assert isinstance(builder, GateBuilder)
        self.model = PropertyCircuit(Circuit(
            roles=(*base.roles, *observers),
            fluents=(*base.fluents, *(Term("due", (Term(str(place)),)) for place in range(promises)), Term("begun"),
                     Term("broken")),
            moves=(*base.moves, *(((Term("no"), Term("yes")),) * promises)), initial=base.initial,
            gate_inputs=builder.gate_inputs, loops=(), next=tuple(following), legal=tuple(legal), terminal=terminal,
            goals=((),) * (self.roles + promises), percepts=((),) * (self.roles + promises)))
        self._builder = self.model
        #: That a match has come about of which the formula holds, however it goes on.
        self.found = found

    def _now(self, formula: Formula, guessed: list[Literal]) -> Literal:
        """That a formula holds from this moment on, if from the next one on what was guessed does."""
        def later(promise: Formula) -> Literal:
            return guessed[self._promises.index(promise)]

        all_of, any_of = self._builder.all_of, self._builder.any_of
        if is_of_states(formula):
            return self._state(formula)
        match formula:
            case Junction(word=word, parts=parts):
                return (all_of if word == "and" else any_of)(self._now(part, guessed) for part in parts)
            case Along(word="X", body=body):
                return later(body)
            case Along(word="F", body=body):
                return any_of([self._now(body, guessed), later(formula)])
            case Along(body=body):
                return all_of([self._now(body, guessed), later(formula)])
            case Until(left=left, right=right):
                return any_of([self._now(right, guessed), all_of([self._now(left, guessed), later(formula)])])
        raise AssertionError(formula)

    def _settled(self, formula: Formula) -> Literal:
        """That a formula holds from the end on, where nothing changes."""
        return self._state(settled(formula))

    def _state(self, formula: Formula) -> Literal:
        return self._at(value_of(self._base, formula, self._literal))


def positive(formula: Formula) -> Formula:
    """The same formula with `not` before nothing but what is about a moment; raises ValueError where it is neither."""
    if is_of_states(formula):
        if not one_moment(formula) or roles_that_know(formula):
            raise ValueError(f"{formula} is more than a formula along matches")
        return formula
    match formula:
        case Junction(word=word, parts=parts):
            return (conjunction if word == "and" else disjunction)(*map(positive, parts))
        case Implies(left=left, right=right):
            return positive(both_ways(left, right))
        case Along(word=word, body=body):
            return Along(word, positive(body))
        case Until(left=left, right=right):
            return Until(positive(left), positive(right))
        case Not(body=Not(body=body)):
            return positive(body)
        case Not(body=Junction(word=word, parts=parts)):
            return (disjunction if word == "and" else conjunction)(*(positive(negation(part)) for part in parts))
        case Not(body=Implies(left=left, right=right)):
            return positive(both_ways(left, negation(right)))
        case Not(body=Along(word=word, body=body)):
            return Along(DUAL[word], positive(negation(body)))
        case Not(body=Until(left=left, right=right)):
            neither = conjunction(positive(negation(left)), positive(negation(right)))
            return disjunction(Along("G", positive(negation(right))), Until(positive(negation(right)), neither))
    raise ValueError(f"{formula} cannot be observed")


def settled(formula: Formula) -> Formula:
    """What a formula says where nothing changes any more."""
    match formula:
        case Along(body=body) | Paths(body=body):
            return settled(body)
        case Until(right=right):
            return settled(right)
        case Not(body=body):
            return negation(settled(body))
        case Junction(word=word, parts=parts):
            return (conjunction if word == "and" else disjunction)(*map(settled, parts))
        case Implies(left=left, right=right):
            return both_ways(settled(left), settled(right))
    return formula


def _promised(formula: Formula) -> Iterable[Formula]:
    """What may be promised of the next moment."""
    if is_of_states(formula):
        return
    match formula:
        case Junction(parts=parts):
            for part in parts:
                yield from _promised(part)
        case Along(word="X", body=body):
            yield body
            yield from _promised(body)
        case Along(body=body):
            yield formula
            yield from _promised(body)
        case Until(left=left, right=right):
            yield formula
            yield from _promised(left)
            yield from _promised(right)


# ---- from branching to linear time ----


def along_all(formula: Formula, *, ends: bool) -> tuple[Formula, bool] | None:
    """What is to hold along every match, for a formula with A and E; and whether that says as much, or only less.

    `ends` says that every match ends: then what can always come about is what holds at the end. None if there is none.
    """
    if isinstance(formula, Paths):
        formula = Paths(formula.word, _inwards(formula.body))
    match formula:
        case Paths(word="A", body=Along(word="G", body=Paths(word="E", body=Along(word="F", body=body)))) \
                | Paths(word="A", body=Along(word="F", body=Paths(word="A", body=Along(word="G", body=body)))) if ends:
            return Along("F", Along("G", settled(body))), True
        case Paths(word="A", body=body):
            return _stripped(body)
    return None


def _inwards(formula: Formula) -> Formula:
    """A formula with `not` behind the operators of time that it starts with."""
    match formula:
        case Along(word=word, body=body):
            return Along(word, _inwards(body))
        case Paths(word=word, body=body):
            return Paths(word, _inwards(body))
        case Not(body=Along(word=word, body=body)):
            return Along(DUAL[word], _inwards(negation(body)))
        case Not(body=Paths(word=word, body=body)):
            return Paths("E" if word == "A" else "A", _inwards(negation(body)))
    return formula


def _stripped(formula: Formula) -> tuple[Formula, bool] | None:
    """A formula without the A inside, and whether it says as much: it says less where the A are to be chosen from.

    In the literature: the deterministic fragment of ACTL (Maidl 2000).
    """
    if one_moment(formula):
        return formula, True
    match formula:
        case Paths(word="A", body=body):
            return _stripped(body)
        case Junction(word=word, parts=parts):
            found = [_stripped(part) for part in parts]
            if any(part is None for part in found):
                return None
            pairs = [part for part in found if part is not None]
            # One of several alternatives may be chosen by how the match goes on, unless all but one are about now.
            is_chosen = word == "or" and any(map(_branches, parts)) and sum(not one_moment(part) for part in parts) > 1
            exact = all(is_exact for _, is_exact in pairs) and not is_chosen
            return (conjunction if word == "and" else disjunction)(*(part for part, _ in pairs)), exact
        case Along(word=word, body=body):
            inner = _stripped(body)
            return inner and (Along(word, inner[0]), inner[1] and (word != "F" or not _branches(body)))
        case Until(left=left, right=right):
            a, b = _stripped(left), _stripped(right)
            return a and b and (Until(a[0], b[0]), a[1] and b[1] and not (_branches(left) or _branches(right)))
        case Not(body=Not(body=body)):
            return _stripped(body)
        case Not(body=Paths(word=word, body=body)):
            return _stripped(negation(body)) if word == "E" else None
        case Not(body=Junction(word=word, parts=parts)):
            return _stripped(Junction("or" if word == "and" else "and", tuple(map(negation, parts))))
        case Not(body=Along(word=word, body=body)):
            return _stripped(Along(DUAL[word], negation(body)))
        case _ if not any(isinstance(part, Paths) for part in subformulas(formula)):
            return formula, True
    return None


def _branches(formula: Formula) -> bool:
    return any(isinstance(part, Paths) for part in subformulas(formula))
