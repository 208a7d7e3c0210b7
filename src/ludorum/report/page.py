"""The analysis of a game as one HTML page that needs nothing else: no script, no style sheet, no picture from afar."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files

import numpy as np

from ludorum.analysis.proofs import Proof
from ludorum.analysis.samples import samples
from ludorum.draw import grids
from ludorum.drawing.grid import Cell, Grid
from ludorum.drawing.rewriting import to_toss
from ludorum.errors import LudorumError
from ludorum.gdl.terms import Term
from ludorum.grammar import agree
from ludorum.report import board_pictures, plots, svg
from ludorum.report.analysis import Analysis
from ludorum.report.graph_pictures import MOST_NODES, dependency_picture, ring, web
from ludorum.report.rule_pictures import rule_picture
from ludorum.report.words import in_words

_MOST_PICTURES = 6
# More properties of one kind with the same verdict share a row.
_MOST_ALIKE = 4
_MOST_NAMED = 200
_MOST_CONTENTS = 24
_MOST_MOVES = 40
_MOST_RULES = 24


@dataclass(frozen=True, slots=True)
class Figure:
    """A picture with what it shows."""

    picture: str
    caption: str


def page(analysis: Analysis) -> str:
    """The page, in UTF-8."""
    from jinja2 import Environment

    # Names come from rulesheets of strangers: escape them. Pictures escape what they are given themselves.
    environment = Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True)
    template = environment.from_string(files("ludorum.report").joinpath("templates/analysis.html").read_text("utf-8"))
    boards = grids(analysis.game.initial)
    proofs = analysis.proofs.value or ()
    dependencies, left_out = dependency_picture(analysis.game.rules)
    return template.render(
        agree=agree, analysis=analysis, game=analysis.game, traits=analysis.traits,
        chapters=in_words(analysis.game.rules, analysis.structures.value),
        rewriting=_rewriting(analysis), states=list(_states(analysis, boards)), plots=list(_plots(analysis)),
        symmetries=list(_symmetries(analysis, boards)), heat_maps=list(_heat_maps(analysis, boards)),
        graphs=list(_fluent_graphs(analysis, boards)), dependencies=dependencies, left_out=left_out,
        factors=list(_factors(analysis, boards)),
        proofs=list(_rows(proofs)),
        verdicts=Counter(proof.verdict for proof in proofs),
        moves=(analysis.first_moves.value or ())[:_MOST_MOVES],
        more_moves=max(0, len(analysis.first_moves.value or ()) - _MOST_MOVES))


def _rewriting(analysis: Analysis) -> tuple[list[Figure], str]:
    """The rules as pairs of small boards, or why they cannot be drawn so."""
    try:
        found = to_toss(analysis.game)
    except LudorumError as error:
        return [], str(error).splitlines()[0]
    return [Figure(rule_picture(rule), f"{rule.player}: {rule.name}, in {rule.places} "
                                       f"{agree(rule.places, 'place')}") for rule in found.rules[:_MOST_RULES]], ""


@dataclass(frozen=True, slots=True)
class Row:
    """A proof, or several of one kind that ended alike."""

    name: str
    verdict: str
    method: str
    seconds: float
    says: str
    #: What the properties are about, if they are several.
    names: tuple[str, ...] = ()
    #: A match that shows it.
    moves: tuple[str, ...] | None = None


def _rows(proofs: Sequence[Proof]) -> Iterator[Row]:
    alike: dict[tuple[str, str, str], list[Proof]] = defaultdict(list)
    for proof in proofs:
        alike[proof.property.partition(" ")[0], proof.verdict, proof.method].append(proof)
    for (word, verdict, method), of_kind in alike.items():
        if len(of_kind) > _MOST_ALIKE:
            names = tuple(proof.property.partition(" ")[2] for proof in of_kind)
            yield Row(f"{word} … ({len(of_kind)})", verdict, method, max(proof.seconds for proof in of_kind),
                      of_kind[0].says, names[:_MOST_NAMED])
            continue
        for proof in of_kind:
            moves = None if proof.moves is None else tuple(" ".join(map(str, joint)) for joint in proof.moves)
            yield Row(proof.property, verdict, method, proof.seconds, proof.says, moves=moves)


def _states(analysis: Analysis, boards: Sequence[Grid]) -> Iterator[Figure]:
    """The boards at first and in the middle of a random match."""
    game = analysis.game
    seen = samples(game)
    middle = int(np.argsort(seen.steps, kind="stable")[len(seen) // 2])
    steps = int(seen.steps[middle])
    for caption, fluents in (("the initial state", game.initial.fluents),
                             (f"after {steps} random {agree(steps, 'step')}", seen.state(middle))):
        for board in boards:
            picture = board_pictures.board(board, board.contents(fluents), title=f"{board.name}: {caption}")
            legend = "  ".join(f"{sign} {value}" for value, sign in board.symbols.items() if sign not in (".", value))
            yield Figure(picture, f"{board.name}, {caption}" + (f" ({legend})" if legend else ""))


def _plots(analysis: Analysis) -> Iterator[Figure]:
    seen = analysis.play.value
    if seen is not None and seen.playouts:
        yield Figure(plots.lengths(seen), "how long matches last")
        yield Figure(plots.branching(seen), "how many moves there are to choose from")


def _symmetries(analysis: Analysis, boards: Sequence[Grid]) -> Iterator[Figure]:
    """For the first generators where each cell goes: every cell shows the name and colour of the one that takes its
    place."""
    found = analysis.symmetries.value
    if found is None or found.words is None:
        return
    generators = [(symmetry, "keeps the roles")
                  for symmetry in (found.generators if found.in_play is None else found.best.players)]
    generators += [(symmetry, "exchanges roles") for symmetry in found.best.role_generators]
    for number, (symmetry, what) in enumerate(generators[:_MOST_PICTURES], start=1):
        moved = {found.words.fluents[i]: found.words.fluents[j] for i, j in enumerate(symmetry.fluents)}
        for board in boards:
            picture = board_pictures.permuted(board, moved, title=f"generator {number} on {board.name}")
            if picture is None:
                continue
            yield Figure(picture, f"generator {number} ({what}): each cell of “{board.name}” shows the one that takes "
                                  "its place")


def _heat_maps(analysis: Analysis, boards: Sequence[Grid]) -> Iterator[Figure]:
    """How many steps it takes at least from the initial state until a cell can hold something."""
    found = analysis.distances.value
    if found is None:
        return
    for board in boards:
        by_content: dict[str, dict[Cell, int | None]] = defaultdict(dict)
        for fluent, steps in found.steps.items():
            told = board.read(fluent)
            if told is not None and board.symbol(told[1]) != ".":
                by_content[told[1]][told[0]] = steps
        # Contents that are where they are and go nowhere make no picture.
        telling = [content for content, cells in by_content.items()
                   if len({far for far in cells.values() if far is not None}) > 1]
        for content in telling[:_MOST_PICTURES]:
            cells = by_content[content]
            furthest = max(far for far in cells.values() if far is not None) or 1
            picture = board_pictures.board(
                board, {cell: "–" if far is None else str(far) for cell, far in cells.items()},
                fills={cell: "#fff" if far is None else svg.heat(far / furthest) for cell, far in cells.items()},
                title=f"distances to {content} on {board.name}")
            yield Figure(picture, f"steps at least until {content} is there, on “{board.name}”")


# What a board tells of a fluent: the cell, and what is in it.
_Told = dict[Term, tuple[tuple[str, ...], str]]
_Edges = list[tuple[Term, Term]]


def _fluent_graphs(analysis: Analysis, boards: Sequence[Grid]) -> Iterator[Figure]:
    """The fluent graph: on boards content by content, and what is left on a ring if it is not too much."""
    found = analysis.distances.value
    if found is None:
        return
    edges = [(source, target) for source, target in found.graph.edges() if source is not None and source != target]
    on_boards: set[Term] = set()
    for board in boards:
        told = {fluent: read for fluent in found.graph.fluents if (read := board.read(fluent)) is not None}
        on_boards |= told.keys()
        within = [(source, target) for source, target in edges if source in told and target in told]
        yield from _ways(board, told, within)
        yield from _changes(board, told, within)
    others = [str(fluent) for fluent in found.graph.fluents if fluent not in on_boards]
    among = [(str(source), str(target)) for source, target in edges
             if source not in on_boards and target not in on_boards]
    if among and len(others) <= MOST_NODES:
        around, width, height = ring(others)
        yield Figure(web(around, among, width, height, title="fluent graph", labels=True),
                     f"{'the other fluents' if on_boards else 'all fluents'}: an arrow leads to what may come next, a "
                     "plain line both ways")


def _ways(board: Grid, told: _Told, edges: _Edges) -> Iterator[Figure]:
    """The ways of contents from cell to cell; what goes the same ways is drawn once."""
    places, width, height = board_pictures.centres(board)
    named = {" ".join(cell): place for cell, place in places.items()}
    alike: dict[frozenset[tuple[str, str]], list[str]] = defaultdict(list)
    for content in dict.fromkeys(words for _, words in told.values()):
        alike[frozenset((" ".join(told[source][0]), " ".join(told[target][0])) for source, target in edges
                        if told[source][1] == told[target][1] == content)].append(content)
    for between, whose in [ways for ways in alike.items() if ways[0]][:_MOST_PICTURES]:
        whom = ", ".join(whose)
        yield Figure(web(named, sorted(between), width, height, title=f"fluent graph of {whom}", labels=False),
                     f"{whom} on “{board.name}”: an arrow leads to where it may be next, a plain line both ways")


def _changes(board: Grid, told: _Told, edges: _Edges) -> Iterator[Figure]:
    """What may take the place of a content."""
    turns = dict.fromkeys((told[source][1], told[target][1]) for source, target in edges
                          if told[source][1] != told[target][1])
    contents = list(dict.fromkeys(content for turn in turns for content in turn))
    if turns and len(contents) <= _MOST_CONTENTS:
        around, width, height = ring(contents)
        yield Figure(web(around, list(turns), width, height, title=f"contents of {board.name}", labels=True),
                     f"contents of “{board.name}”: an arrow leads to what may take a content's "
                     "place, a plain line both ways")


def _factors(analysis: Analysis, boards: Sequence[Grid]) -> Iterator[Figure]:
    """Which cells belong to which part of a game that is several games."""
    found = analysis.factors.value
    if found is None or not found.are_several:
        return
    part = {found.fluents[fluent]: number for number, factor in enumerate(found.factors, start=1)
            for fluent in factor.fluents}
    for board in boards:
        parts_of: dict[Cell, set[int]] = defaultdict(set)
        for fluent, number in part.items():
            told = board.read(fluent)
            if told is not None:
                parts_of[told[0]].add(number)
        cells = {cell: min(numbers) for cell, numbers in parts_of.items() if len(numbers) == 1}
        # Where several parts are played on the same cells, no cell is that of one.
        if cells and len(cells) == len(parts_of):
            count = len(found.factors)
            picture = board_pictures.board(
                board, {cell: str(number) for cell, number in cells.items()},
                fills={cell: svg.heat((number - 1) / max(1, count - 1)) for cell, number in cells.items()},
                title=f"parts of {board.name}")
            yield Figure(picture, f"which part each cell of “{board.name}” belongs to")
