"""Properties by name: what can be asked of a game, and all that there is to ask."""

from __future__ import annotations

from collections.abc import Sequence

from ludorum.analysis.proofs.lifted.prover import LiftedProver
from ludorum.analysis.proofs.proof import Proof
from ludorum.analysis.proofs.properties.arguments import Mode
from ludorum.analysis.proofs.properties.claims import Claim
from ludorum.analysis.proofs.properties.well_formed import (
    MONOTONIC,
    STRONGLY_WINNABLE,
    WELL_FORMED,
    monotonic,
    strongly_winnable,
    well_formed,
)
from ludorum.analysis.proofs.prover import NO_MEASURE, CircuitProver
from ludorum.errors import InvalidTerm, UnknownProperty
from ludorum.gdl.terms import Term
from ludorum.move import as_terms

#: Properties with nothing more to say, and what they mean.
PLAIN = {
    "control": "at most one role is in control",
    "board": "the coordinates of every board determine the contents of its cells",
    "board_given_control": "the same, where it is known that at most one role is in control",
    "constant_sum": "whenever the game ends, the goals of all roles add up to the same",
    "turn_taking": "never do two roles have a choice at once",
    "one_goal": "whenever the game ends, every role has exactly one goal value",
    "playable": "as long as the game goes on, every role has a legal move",
    "terminates": "every match ends",
    "monotonic": MONOTONIC,
    "strongly_winnable": STRONGLY_WINNABLE,
    "well_formed": WELL_FORMED,
}
#: Those of them that are no claims about single states, and are asked only by name.
_OF_STEPS = {"monotonic": monotonic, "strongly_winnable": strongly_winnable, "well_formed": well_formed}
#: Properties of something, which is told after the name.
ABOUT = {
    "winnable": "ROLE: some match ends with 100, and no other goal value, for this role",
    "input": "(cell + + -): the arguments + of these fluents determine the arguments -",
    "one": "(cell + + -): and for all of the arguments + there is exactly one instance",
    "exclusive": "FLUENT…: at most one of these fluents holds",
    "one_hot": "FLUENT…: exactly one of these fluents holds",
    "never": "FLUENT: it holds in no state",
    "always": "FLUENT: it holds in every state",
    "stays_true": "FLUENT: once it holds, it goes on to hold",
    "stays_false": "FLUENT: once it does not hold, it never does again",
}
_STAYS = {"stays_true": True, "stays_false": False}
# Where everything is asked, the part of the time that is left which each of these may take; after the last there is
# some for what it takes to tell.
_INDUCTION, _STEPS, _DECIDING, _ENDING, _WINNING = 0.5, 0.6, 0.6, 0.6, 0.8


def prove_all(prover: CircuitProver) -> list[Proof]:
    """Everything that is known to ask, but for what random play refutes of single fluents."""
    plain = [name for name in PLAIN if name != "terminates" and name not in _OF_STEPS and _applies(prover, name)]
    claims = [claim for claim in (_plain(prover, name) for name in plain) if claim is not None]
    nevers = [prover.claims.never(number) for number in prover.never_met]
    always = [prover.claims.always(number) for number in prover.always_met]
    claims += [*prover.modes.values(), *nevers, *always]
    # What takes little for all of them comes before what takes much for a few.
    with prover.within(_INDUCTION):
        found = prover.judge(claims, thorough=False)
    with prover.within(_STEPS):
        steps = [proof for value in (True, False) for proof in prover.all_staying(value).values()]
        steps.append(prover.terminates()[0])
    with prover.within(_DECIDING):
        undecided = [claim for claim, proof in zip(claims, found, strict=True) if proof.verdict == "unknown"]
        decided = {proof.property: proof for proof in prover.judge(undecided)}
        found = [decided.get(proof.property, proof) for proof in found]
    if steps[-1].verdict == "unknown" and steps[-1].method != NO_MEASURE:
        # It had a small part of the time, and others may have left some.
        with prover.within(_ENDING):
            steps[-1] = prover.terminates()[0]
    found += [_unstated(prover, name) for name in plain if name not in {claim.property for claim in claims}]
    with prover.within(_WINNING):
        return [*found, *steps, *map(prover.winnable, prover.claims.goal_roles)]


def prove_named(prover: CircuitProver, names: Sequence[str]) -> list[Proof]:
    """The properties that are named, in that order; raises UnknownProperty."""
    terms = [_read(name) for name in names]
    claims = {name: claim for name, term in zip(names, terms, strict=True)
              if (claim := _claim(prover, name, term)) is not None}
    judged = dict(zip(claims, prover.judge(claims.values()), strict=True))
    return [judged[name] if name in judged else _other(prover, name, term)
            for name, term in zip(names, terms, strict=True)]


def prove_lifted(prover: LiftedProver, names: Sequence[str]) -> list[Proof]:
    """The properties that are named, or all that answer sets are asked for; raises UnknownProperty."""
    if not names:
        kinds = {"control": prover.control, "board": prover.boards,
                 "board_given_control": prover.control and prover.boards}
        found = [_lifted_plain(prover, name) for name in _LIFTED if kinds.get(name, True)]
        return found + list(prover.prove_modes(prover.modes).values())
    terms = {name: _read(name) for name in names}
    # Boards need the most rules, and what takes all its time must leave some to the others.
    order = sorted(terms, key=lambda name: name.startswith("board"))
    proofs: dict[str, Proof] = {}
    for name in order:
        with prover.within(1 if name == order[-1] else _LIFTED_SHARE):
            proofs[name] = _lifted(prover, name, terms[name])
    return [proofs[name] for name in names]


#: What answer sets are asked for, as in the thesis; and the input arguments of all fluents.
_LIFTED = ("control", "board", "board_given_control", "constant_sum")
_LIFTED_SHARE = 0.5


def _lifted(prover: LiftedProver, name: str, terms: Sequence[Term]) -> Proof:
    word = str(terms[0])
    if word in _LIFTED:
        return _lifted_plain(prover, word)
    if word == "input":
        mode = _mode(terms[1])
        if not mode.groups(prover.fluents):
            raise UnknownProperty(f"{prover.game.name} has no fluent {mode.name} with {mode.arity} arguments")
        # The smallest proofs come first: others may need what they prove.
        asked = [other for other in prover.modes if other != mode]
        return prover.prove_modes([*asked, mode])[mode]
    return prover.unknown(name, PLAIN.get(word) or ABOUT[word].partition(": ")[2],
                          "answer sets are asked for input arguments and constant sums only")


def _lifted_plain(prover: LiftedProver, name: str) -> Proof:
    if name == "constant_sum":
        return prover.constant_sum()
    if (name != "board" and not prover.control) or (name != "control" and not prover.boards):
        lacking = "board" if name != "control" and not prover.boards else "fluent that tells whose turn it is"
        raise UnknownProperty(f"{prover.game.name} has no {lacking}, so nothing can be said about {name}")
    if name == "control":
        return prover.all_inputs(name, prover.control)
    if name == "board":
        return prover.all_inputs(name, prover.boards, perhaps=prover.control)
    return prover.all_inputs(name, prover.boards, given=prover.control)


def _read(name: str) -> tuple[Term, ...]:
    try:
        terms = as_terms(name)
    except InvalidTerm as error:
        raise UnknownProperty(f"{name!r} is no property: {error}") from None
    word = str(terms[0]) if terms else ""
    if len(terms) == 1 and word in PLAIN:
        return terms
    if word in ABOUT and len(terms) > 1 and (len(terms) == 2 or word in ("exclusive", "one_hot")):
        return terms
    known = [*PLAIN, *(f"{about} …" for about in ABOUT)]
    raise UnknownProperty(f"there is no property {name!r}; there are {', '.join(known)}")


def _applies(prover: CircuitProver, name: str) -> bool:
    """Whether the game has what the property speaks of."""
    if name == "control":
        return bool(prover.control)
    if name == "board":
        return bool(prover.boards)
    if name == "board_given_control":
        return bool(prover.boards) and bool(prover.control)
    return True


def _claim(prover: CircuitProver, name: str, terms: Sequence[Term]) -> Claim | None:
    """The property as a claim about states; None if it is none."""
    word = str(terms[0])
    if word in PLAIN:
        if not _applies(prover, word):
            lacking = "fluent that tells whose turn it is" if word == "control" or prover.boards else "board"
            raise UnknownProperty(f"{prover.game.name} has no {lacking}, so nothing can be said about {word}")
        return None if word == "terminates" or word in _OF_STEPS else _plain(prover, word)
    if word in ("input", "one"):
        return _of_mode(prover, word, terms[1])
    if word in ("exclusive", "one_hot"):
        numbers = [_fluent(prover, term) for term in terms[1:]]
        return (prover.claims.exclusive if word == "exclusive" else prover.claims.one_hot)(name, numbers)
    if word in ("never", "always"):
        number = _fluent(prover, terms[1])
        return (prover.claims.never if word == "never" else prover.claims.always)(number)
    return None


def _plain(prover: CircuitProver, name: str) -> Claim | None:
    claims = prover.claims
    if name == "control":
        return prover.all_inputs(prover.control, name, f"{_list(prover.control)}: at most one instance holds")
    if name == "board":
        return prover.all_inputs(prover.boards, name, f"{_list(prover.boards)}: at most one instance for all inputs")
    if name == "board_given_control":
        says = f"{_list(prover.boards)}: at most one instance for all inputs, given {_list(prover.control)}"
        return prover.all_inputs([*prover.control, *prover.boards], name, says)
    return {"constant_sum": claims.constant_sum, "turn_taking": claims.turn_taking, "one_goal": claims.one_goal,
            "playable": claims.playable}[name]()


def _mode(term: Term) -> Mode:
    try:
        return Mode.of(term)
    except ValueError as error:
        raise UnknownProperty(str(error)) from None


def _of_mode(prover: CircuitProver, word: str, term: Term) -> Claim:
    mode = _mode(term)
    claim = prover.modes.get(f"{word} {mode}")
    if claim is None:
        claim = next((claim for claim in prover.claims.of_mode(mode) if claim.property == f"{word} {mode}"), None)
    if claim is None:
        raise UnknownProperty(f"{prover.game.name} has no fluent {mode.name} with {mode.arity} arguments")
    return claim


def _other(prover: CircuitProver, name: str, terms: Sequence[Term]) -> Proof:
    """A property that is no claim about states."""
    word = str(terms[0])
    if word == "terminates":
        prover.learn()
        return prover.terminates()[0]
    if word in _OF_STEPS:
        return _OF_STEPS[word](prover)
    if word == "winnable":
        return prover.winnable(prover.game.roles.index(prover.game.role(str(terms[1]))))
    if word in _STAYS:
        prover.learn()
        return prover.stays(_fluent(prover, terms[1]), _STAYS[word])
    return _unstated(prover, name)


def _unstated(prover: CircuitProver, name: str) -> Proof:
    return prover.unknown(name, PLAIN[name], "no end of the game was met with")


def _fluent(prover: CircuitProver, term: Term) -> int:
    try:
        return prover.fluents.index(term)
    except ValueError:
        raise UnknownProperty(f"{term} is no fluent of {prover.game.name}") from None


def _list(of: Sequence[Mode]) -> str:
    return ", ".join(map(str, of))
