"""Games of Toss as rulesheets of GDL, so that everything that plays, proves or draws one takes the other.

A location is a fluent `(at …)`, a mark on an element a fluent `(cell element mark)`, a move the name of a rule with the
elements that its left side matches. Relations that no move changes are facts.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product

from ludorum.errors import InvalidRules, TooLarge
from ludorum.gdl import rulesheet as gdl
from ludorum.gdl.diagnostics import Findings
from ludorum.gdl.printing import to_kif
from ludorum.gdl.rulesheet import Rule, Rulesheet, Source
from ludorum.gdl.terms import Argument, Span, Term, Variable
from ludorum.toss.changes import Changes
from ludorum.toss.conditions import NOW, Conditions, Moment
from ludorum.toss.diagnostics import CODES
from ludorum.toss.effects import TIME, Clock, Effects, Form, adds_elements
from ludorum.toss.formulas import TRUE, Atom, Formula, Real, Sum, free, walk
from ludorum.toss.game import Game, Location, RewritingRule
from ludorum.toss.names import Symbols, variables_for
from ludorum.toss.numbers import Numbers, numeral
from ludorum.toss.payoffs import Case, Scale, indicators, listed

# A comment of an author who knows that the game is too large to ground.
_REQUEST = re.compile(r"^\s*//\s*engine:\s*relations\s*$", re.MULTILINE)

_HERE, _THERE, _PLAYER, _CHANGE = Variable("l"), Variable("to"), Variable("p"), Variable("m")


@dataclass(frozen=True)
class Translation:
    """A game of Toss in GDL, and how to tell the one's names from the other's."""

    rules: Rulesheet
    scale: Scale
    elements: Mapping[str, str]
    relations: Mapping[str, str]
    moves: Mapping[str, str]
    locations: Mapping[str, str]
    players: Mapping[str, str]
    #: The functions that name new elements, by what a right side calls them.
    new: Mapping[str, str]


def to_rules(game: Game) -> Rulesheet:
    """The game as a rulesheet; raises InvalidRules if it counts too far to be told in GDL."""
    return translate(game).rules


def translate(game: Game) -> Translation:
    """The game as a rulesheet, with the names it has there."""
    findings = Findings(game.source, CODES)
    try:
        translation = _Translator(game, findings).translation()
    except TooLarge:
        place = next((location.span for location in game.locations.values()), None)
        findings.add("toss-too-large", "the game counts further than a table of numbers can tell", place,
                     help="count fewer elements, or with smaller numbers")
    if findings.have_errors:
        raise InvalidRules([*game.diagnostics, *findings.in_order()])
    return translation


class _Translator:
    def __init__(self, game: Game, findings: Findings) -> None:
        self.game = game
        self.findings = findings
        self.symbols = Symbols()
        self.conditions = Conditions(game, self.symbols)
        self.numbers = Numbers(game, self.conditions)
        (self.at, self.edge, self.mover, self.turn, self.possible, self.movable, self.pays, self.worth) = map(
            self.symbols.symbol, ("at", "edge", "mover", "turn", "possible", "movable", "pays", "worth"))
        self.clock = Clock(self.symbols.symbol("time"), self.symbols.symbol("later"))
        self.locations = Symbols().symbols(*game.locations)
        self.players = Symbols().symbols(*game.players)
        names = Symbols()
        self.noop = names.symbol("noop")
        self.moves = names.symbols(*(rule.name for rule in game.used_rules))
        fresh = Symbols()
        for symbol in self.conditions.elements.values():
            fresh.symbol(symbol)
        added = dict.fromkeys(element for rule in game.used_rules for element in rule.right.elements)
        self.new = fresh.symbols(*added)
        self.forms = [self.form(rule) for rule in game.used_rules]
        #: Where moves must not lead to some states, what they change is told in words that they share.
        self.changes = (Changes(game, self.conditions)
                        if game.keeps_elements and any(rule.post != TRUE for rule in game.used_rules) else None)

    def translation(self) -> Translation:
        self._refuse_counting_what_grows()
        rules = self.rules
        self._definitions()
        rule = Variable("r")
        self.rule(Term(self.turn, (_PLAYER, rule, _THERE)),
                  [Term("true", (Term(self.at, (_HERE,)),)), Term(self.mover, (_HERE, _PLAYER)),
                   Term(self.edge, (_HERE, rule, _THERE))])
        for form in self.forms:
            self._legal(form)
        self._watching()
        self._twins()
        self._bearing_later()
        if self.conditions.uses_same_later:
            move, one = Variable("m"), Variable("x")
            self.rule(Term(self.conditions.same_later, (move, one, one)),
                      [self.conditions.is_element(one, Moment(move))])
        self._afterwards()
        self._moving_on()
        self.rule(Term(self.movable), [Term(self.possible, (_PLAYER, Variable("m")))])
        self.rule(Term("terminal"), [gdl.Not(Term(self.movable))])
        scale = self._goals()
        if self.conditions.uses_bearing:
            one, mark, marks = Variable("x"), Variable("k"), Variable("s")
            self.rule(Term(self.conditions.bearing, (one, marks)),
                      [self.conditions.holds(Term(self.conditions.cell, (one, mark)), NOW),
                       Term(self.conditions.marks.among, (marks, mark))])
        made = (*self._facts(), *self.conditions.marks.rules, *self.numbers.rules, *rules)
        header = f"; {scale}.\n"
        if not self.game.keeps_elements or _REQUEST.search(self.game.source.text):
            # There may be ever more elements, or too many: whoever would try to ground the rules would try in vain.
            header += "; engine: relations\n"
        text = f"{header}\n{to_kif(Rulesheet(made))}"
        diagnostics = (*self.game.diagnostics, *self.findings.in_order())
        sheet = Rulesheet(made, Source(text, self.game.source.name), diagnostics)
        return Translation(sheet, scale, self.conditions.elements, self.conditions.relation, self.moves,
                           self.locations, self.players, self.new)

    @property
    def rules(self) -> list[Rule]:
        return self.conditions.rules

    def rule(self, head: Term, body: list[gdl.Formula]) -> None:
        self.conditions.rules.append(Rule(head, tuple(body)))

    def form(self, rule: RewritingRule) -> Form:
        matched = variables_for(rule.left.elements)
        to = (_THERE,) if self._names_target(rule) else ()
        move = Term(self.moves[rule.name], (*(matched[element] for element in rule.left.elements), *to))
        after: dict[str, Argument] = {}
        for name in rule.right.elements:
            old = rule.replaces.get(name)
            survives = old is not None and rule.survivors[old] == name
            after[name] = matched[old] if survives and old is not None else Term(self.new[name], (TIME,))
        return Form(rule, move, matched, after)

    def _names_target(self, rule: RewritingRule) -> bool:
        """Whether a location has several edges with the rule, so that a move must say which it follows."""
        return any(len({edge.to for edge in location.edges if edge.rule == rule.name}) > 1
                   for location in self.game.locations.values())

    def _refuse_counting_what_grows(self) -> None:
        growing = next((rule for rule in self.game.used_rules if adds_elements(rule)), None)
        nodes = [*(definition.formula for definition in self.game.definitions.values()),
                 *(rule.pre for rule in self.game.used_rules), *(rule.post for rule in self.game.used_rules),
                 *(term for location in self.game.locations.values() for term in location.payoffs.values())]
        if growing is not None and any(isinstance(item, Sum) for node in nodes for item in walk(node)):
            self.findings.add("toss-too-large", "elements cannot be counted where there may be ever more of them",
                              growing.span, "this rule adds elements", "ask whether there are some, by ex")
            raise InvalidRules([*self.game.diagnostics, *self.findings.in_order()])

    # What does not change

    def _facts(self) -> list[Rule]:
        conditions, game = self.conditions, self.game
        facts = [Term("role", (Term(self.players[player]),)) for player in game.players]
        if game.keeps_elements:
            facts += [Term(conditions.element, (conditions.constant(element),)) for element in game.start.elements]
        initial = [Term(self.at, (Term(self.locations[game.first]),))]
        if not game.keeps_elements:
            initial += [Term(conditions.alive, (conditions.constant(element),)) for element in game.start.elements]
        order = {element: place for place, element in enumerate(game.start.elements)}
        for relation, args in sorted(game.start.facts, key=lambda fact: (fact[0], [order[arg] for arg in fact[1]])):
            constants = [conditions.constant(arg) for arg in args]
            if relation in game.fluents:
                initial.append(conditions.fluent(relation, constants))
            else:
                facts.append(Term(conditions.relation[relation], tuple(constants)))
        facts += [Term("init", (fluent,)) for fluent in initial]
        for location in game.locations.values():
            here = Term(self.locations[location.name])
            facts.append(Term(self.mover, (here, Term(self.players[location.player]))))
            facts += [Term(self.edge, (here, Term(self.moves[edge.rule]), Term(self.locations[edge.to])))
                      for edge in dict.fromkeys(location.edges)]
        rules = [Rule(fact) for fact in facts]
        if conditions.uses_same:
            one = Variable("x")
            rules.append(Rule(Term(conditions.same, (one, one)), (conditions.is_element(one, NOW),)))
        if any(map(adds_elements, game.used_rules)):
            rules += self.clock.rules()
        return rules

    def _definitions(self) -> None:
        for definition in self.game.definitions.values():
            places: dict[str, Argument] = dict(variables_for(definition.variables, reserved=("m", "p")))
            args = tuple(places[name] for name in definition.variables)
            self.conditions.define(Term(self.conditions.relation[definition.name], args), definition.formula, places,
                                   NOW)

    def _twins(self) -> None:
        """What is defined by relations that change, of the states after candidates: as far as conditions ask for it."""
        done = 0
        while done < len(self.conditions.asked_later):
            definition = self.game.definitions[self.conditions.asked_later[done]]
            done += 1
            places: dict[str, Argument] = dict(variables_for(definition.variables, reserved=("m", "p")))
            args = tuple(places[name] for name in definition.variables)
            head = Term(self.conditions.twin[definition.name], (_CHANGE, *args))
            body: list[gdl.Formula] = []
            if self.changes is not None and self.changes.is_local(definition.name):
                self.changes.elsewhere(head, Term(self.conditions.relation[definition.name], args), args[0])
                body.append(self.changes.inside(args[0]))
            self.conditions.define(head, definition.formula, places, Moment(_CHANGE), body)

    def _bearing_later(self) -> None:
        """Which elements have one of many marks after changes."""
        conditions = self.conditions
        one, mark, marks = Variable("x"), Variable("k"), Variable("s")
        fluent, among = Term(conditions.cell, (one, mark)), Term(conditions.marks.among, (marks, mark))
        if conditions.uses_bearing_later:
            head = Term(conditions.bearing_later, (_CHANGE, one, marks))
            body = [conditions.holds(fluent, Moment(_CHANGE)), among]
            if self.changes is not None:
                self.changes.elsewhere(head, Term(conditions.bearing, (one, marks)), one)
                body.insert(0, self.changes.inside(one))
            conditions.rule(head, body, Moment(_CHANGE))

    def _afterwards(self) -> None:
        """What holds after the moves that are made, and after candidates as far as conditions ask for it."""
        if self.changes is not None:
            self.changes.add(self.forms)
            return
        Effects(self.game, self.conditions, self.clock, is_candidate=False).add(self.forms)
        if self.conditions.uses_then:
            Effects(self.game, self.conditions, self.clock, is_candidate=True).add(
                [form for form in self.forms if form.rule.post != TRUE])

    # Moves

    def _legal(self, form: Form) -> None:
        rule, conditions = form.rule, self.conditions
        places: dict[str, Argument] = dict(form.matched)
        body: list[gdl.Formula] = [Term(self.turn, (_PLAYER, Term(self.moves[rule.name]), _THERE))]
        for relation, args in sorted(rule.left.facts):
            body.append(conditions.atom(relation, [places[arg] for arg in args], NOW))
        absent = [Atom(relation, args) for relation in sorted(rule.embedded)
                  for args in product(rule.left.elements, repeat=self.game.arities[relation])
                  if (relation, args) not in rule.left.facts | rule.left.optional]
        body += conditions.none_of(absent, places, NOW)
        body += [Term("distinct", pair) for pair in combinations(form.matched.values(), 2)]
        head = Term(conditions.candidate if rule.post != TRUE else self.possible, (_PLAYER, form.move))
        conditions.define(head, rule.pre, places, NOW, body)
        if rule.post != TRUE:
            moment = Moment(self.changes.term(form) if self.changes is not None else form.move)
            told = self.clock.told([form.after[name] for name in sorted(free(rule.post))])
            conditions.define(Term(self.possible, (_PLAYER, form.move)), rule.post, form.after, moment,
                              [Term(conditions.candidate, (_PLAYER, form.move)), *told])

    def _watching(self) -> None:
        move = Variable("m")
        self.rule(Term("legal", (_PLAYER, move)), [Term(self.possible, (_PLAYER, move))])
        if len(self.game.players) > 1:
            other = Variable("q")
            self.rule(Term("legal", (other, Term(self.noop))),
                      [Term("true", (Term(self.at, (_HERE,)),)), Term(self.mover, (_HERE, _PLAYER)),
                       Term("role", (other,)), Term("distinct", (other, _PLAYER))])

    def _moving_on(self) -> None:
        """Where a move leads."""
        for form in self.forms:
            self.rule(Term("next", (Term(self.at, (_THERE,)),)),
                      [Term("does", (_PLAYER, form.move)), Term("true", (Term(self.at, (_HERE,)),)),
                       Term(self.edge, (_HERE, Term(self.moves[form.rule.name]), _THERE))])

    # Payoffs

    def _goals(self) -> Scale:
        groups: dict[tuple[Real, ...], list[Location]] = {}
        for location in self.game.locations.values():
            groups.setdefault(tuple(location.payoffs[player] for player in self.game.players), []).append(location)
        values = [value for terms in groups for term in terms for value in self._values(term)]
        scale = Scale(min(values), max(values))
        for number, (terms, locations) in enumerate(groups.items(), start=1):
            where: list[gdl.Formula] = []
            if len(groups) > 1:
                group = Term(str(number))
                where = [Term("true", (Term(self.at, (_HERE,)),)), Term(self.pays, (_HERE, group))]
                self.rules.extend(Rule(Term(self.pays, (Term(self.locations[location.name]), group)))
                                  for location in locations)
            for player, term in zip(self.game.players, terms, strict=True):
                self._check_rounding(term, scale, locations[0].span)
                self._goal(Term(self.players[player]), term, scale, where)
        return scale

    def _values(self, term: Real) -> list[Fraction]:
        formulas = indicators(term)
        return list(self.numbers.values(term)) if formulas is None else list(listed(term, formulas))

    def _goal(self, player: Term, term: Real, scale: Scale, where: list[gdl.Formula]) -> None:
        formulas = indicators(term)
        if formulas is None:
            payoff, goal = Variable("n"), Variable("g")
            worth = self.symbols.symbol("worth")
            self.rules.extend(Rule(Term(worth, (numeral(value), numeral(scale.goal(value)))))
                              for value in self.numbers.values(term))
            self.rule(Term("goal", (player, goal)),
                      [*where, self.numbers.has(term, {}, NOW, payoff), Term(worth, (payoff, goal))])
            return
        cases = listed(term, formulas)
        for value in sorted(cases, reverse=True):
            for case in cases[value]:
                self.rule(Term("goal", (player, numeral(scale.goal(value)))),
                          [*where, *self._case(formulas, case)])

    def _case(self, formulas: list[Formula], case: Case) -> list[gdl.Formula]:
        conditions: list[gdl.Formula] = []
        for formula, holds in zip(formulas, case, strict=True):
            if holds is not None:
                atom = (self.conditions.atom(formula.relation, (), NOW) if isinstance(formula, Atom)
                        else self.conditions.helper(formula, {}, NOW))
                conditions.append(atom if holds else gdl.Not(atom))
        return conditions

    def _check_rounding(self, term: Real, scale: Scale, span: Span | None) -> None:
        off = [value for value in self._values(term) if scale.exact(value) % 1]
        if off:
            self.findings.add("toss-rounded-payoff",
                              f"a payoff of {off[0]} is a goal of {float(scale.exact(off[0])):.4g}, told as "
                              f"{scale.goal(off[0])}", span, f"{scale}",
                              "goals are whole numbers; players see no difference within one")
