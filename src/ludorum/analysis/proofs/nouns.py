"""Which fluents are meant by `control` and `board`."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from ludorum.analysis.proofs.arguments import Mode
from ludorum.analysis.proofs.screening import count
from ludorum.analysis.samples import Samples
from ludorum.analysis.structures import structures
from ludorum.clock import Deadline
from ludorum.game import Game
from ludorum.gdl.terms import Term

# Finding structures takes no longer than this.
_SECONDS = 5.0


def control(game: Game, samples: Samples) -> list[Mode]:
    """The fluents that tell whose turn it is: of one argument, which is a role, and never two of them at once.

    One that is called `control` is meant even if its arguments are no roles, or others would do; where there is none,
    it is what the structures of the game say.
    """
    found = []
    roles = set(game.rules.roles)
    for mode in _kinds(samples.fluents, 1):
        values = {fluent.args[0] for fluent in samples.fluents if (fluent.name, len(fluent.args)) == (mode.name, 1)}
        is_named = values <= roles or mode.name == "control"
        if len(values) > 1 and is_named and count(samples, mode.groups(samples.fluents)).several is None:
            found.append(mode)
    if not found:
        known = structures(game, Deadline.within(_SECONDS)).control
        found = [] if known is None or not known.arity else [Mode(known.name, known.arity, ())]
    return [mode for mode in found if mode.name == "control"] or found


def boards(samples: Samples) -> list[Mode]:
    """Fluents of three or more arguments, of which at least two are coordinates and determine the contents.

    The coordinates are a smallest set of at least two arguments that determined the others in all samples, although
    none of them could be spared. Where there is none, they are all arguments but one: the one whose values no other
    argument has.
    """
    found = []
    fluents = samples.fluents
    for name, arity in sorted({(fluent.name, len(fluent.args)) for fluent in fluents if len(fluent.args) >= 3}):
        minimal: list[Mode] = []
        for size in range(arity):
            for inputs in combinations(range(arity), size):
                mode = Mode(name, arity, inputs)
                if not any(smaller.implies(mode) for smaller in minimal) \
                        and count(samples, mode.groups(fluents)).several is None:
                    minimal.append(mode)
        if not minimal:
            contents = _contents(name, arity, fluents)
            minimal = [Mode(name, arity, tuple(i for i in range(arity) if i != contents))]
        found += [mode for mode in minimal if len(mode.inputs) >= 2][:1]
    return found


def _contents(name: str, arity: int, fluents: Sequence[Term]) -> int:
    values = [{fluent.args[i] for fluent in fluents if (fluent.name, len(fluent.args)) == (name, arity)}
              for i in range(arity)]
    alone = [i for i in range(arity) if not any(values[i] & values[j] for j in range(arity) if j != i)]
    return alone[-1] if alone else arity - 1


def _kinds(fluents: Sequence[Term], arity: int) -> list[Mode]:
    return [Mode(name, arity, ()) for name in sorted({f.name for f in fluents if len(f.args) == arity})]
