"""What a text in Toss says, part by part and with places, before it is known to make sense."""

from __future__ import annotations

from dataclasses import dataclass, field

from ludorum.gdl.terms import Span
from ludorum.toss.formulas import TRUE, Formula, Real


@dataclass(frozen=True, slots=True)
class Named:
    """A name where it stands."""

    name: str
    span: Span


@dataclass(frozen=True, slots=True)
class WrittenFact:
    relation: Named
    args: tuple[Named, ...]
    is_optional: bool = False
    is_mark: bool = False


@dataclass(slots=True)
class WrittenStructure:
    span: Span
    elements: list[Named] = field(default_factory=list)
    facts: list[WrittenFact] = field(default_factory=list)
    #: Relations with their numbers of arguments, as `R:2 {}` declares them.
    declared: list[tuple[Named, int]] = field(default_factory=list)


@dataclass(slots=True)
class WrittenRule:
    name: Named
    left: WrittenStructure
    right: WrittenStructure
    replaces: list[tuple[Named, Named]] = field(default_factory=list)
    embedded: list[Named] = field(default_factory=list)
    pre: Formula = TRUE
    post: Formula = TRUE


@dataclass(frozen=True, slots=True)
class WrittenEdge:
    rule: Named
    to: Named


@dataclass(slots=True)
class WrittenLocation:
    name: Named
    players: list[Named] = field(default_factory=list)
    payoffs: list[tuple[Named, Real]] = field(default_factory=list)
    #: For every player of a block its moves; where there are no blocks, those of the one player.
    edges: list[list[WrittenEdge]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class WrittenDefinition:
    name: Named
    variables: tuple[Named, ...]
    formula: Formula


@dataclass(slots=True)
class Sheet:
    players: list[Named] = field(default_factory=list)
    definitions: list[WrittenDefinition] = field(default_factory=list)
    rules: list[WrittenRule] = field(default_factory=list)
    locations: list[WrittenLocation] = field(default_factory=list)
    models: list[WrittenStructure] = field(default_factory=list)
    first: Named | None = None
