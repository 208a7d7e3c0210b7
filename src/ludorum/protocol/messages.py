"""What a referee says to a player: values that print as messages, and the reader of messages.

Letter case does not matter, nor do comments, line breaks and quotes around the names of matches. PLAY and STOP of
GDL-I and GDL-II are told apart by the number of their arguments:

    (PLAY id NIL)               (PLAY id (move of each role))
    (PLAY id 0 NIL NIL)         (PLAY id turn own-move (percepts))
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass

from ludorum.errors import InvalidMessage, InvalidTerm
from ludorum.gdl.terms import Term
from ludorum.grammar import agree
from ludorum.move import as_term, as_terms
from ludorum.protocol.lists import elements, expressions, is_list, shown

_NAME = re.compile(r"[^\s\ufeff();]+")


@dataclass(frozen=True, slots=True)
class Moves:
    """The joint move that was made last, one move a role in their order; empty before the first (GDL-I)."""

    moves: tuple[Term, ...] = ()

    def __str__(self) -> str:
        return _listed(self.moves)


@dataclass(frozen=True, slots=True)
class Percepts:
    """What a role learns of a turn in GDL-II: its own move, None before the first, and its percepts."""

    turn: int
    move: Term | None = None
    percepts: frozenset[Term] = frozenset()

    def __str__(self) -> str:
        return f"{self.turn} {self.move or 'NIL'} {_listed(sorted(self.percepts, key=str))}"


#: What PLAY and STOP tell.
News = Moves | Percepts


@dataclass(frozen=True, slots=True)
class Info:
    def __str__(self) -> str:
        return "(INFO)"


@dataclass(frozen=True, slots=True)
class Preview:
    """Rules that may be played soon, and how many seconds there are to look at them."""

    rules: str
    clock: float

    def __str__(self) -> str:
        return f"(PREVIEW ({self.rules}\n) {self.clock:g})"


@dataclass(frozen=True, slots=True)
class Start:
    """A match begins. `rules` is their text, without the parentheses that the message has around it."""

    match: str
    role: str
    rules: str
    start_clock: float
    play_clock: float

    def __str__(self) -> str:
        # A line break, in case the rules end in a comment.
        return (f"(START {_name(self.match)} {self.role} ({self.rules}\n) {self.start_clock:g} "
                f"{self.play_clock:g})")


@dataclass(frozen=True, slots=True)
class Play:
    match: str
    news: News = Moves()

    def __str__(self) -> str:
        return f"(PLAY {_name(self.match)} {self.news})"


@dataclass(frozen=True, slots=True)
class Stop:
    match: str
    news: News = Moves()

    def __str__(self) -> str:
        return f"(STOP {_name(self.match)} {self.news})"


@dataclass(frozen=True, slots=True)
class Abort:
    match: str

    def __str__(self) -> str:
        return f"(ABORT {_name(self.match)})"


Message = Info | Preview | Start | Play | Stop | Abort


def parse_message(text: str) -> Message:
    """The message that a text is; raises InvalidMessage, which says what is wrong with it.

    Rules are not looked at: they stay text.
    """
    found = list(expressions(text))
    if len(found) != 1 or not is_list(found[0]):
        raise InvalidMessage(f"a message is one list such as (INFO), not {shown(text)}")
    kind, *arguments = elements(found[0]) or [""]
    match kind.lower(), arguments:
        case "info", []:
            return Info()
        case "preview", [rules, clock]:
            return Preview(_rules(rules), _seconds(clock))
        # Servers may tell more than players know of.
        case "start", [match, role, rules, start_clock, play_clock, *_]:
            return Start(_unquoted(match), _role(role), _rules(rules), _seconds(start_clock), _seconds(play_clock))
        case "play", [match, *news] if len(news) in (1, 3):
            return Play(_unquoted(match), _news(news))
        case "stop", [match, *news] if len(news) in (0, 1, 3):
            return Stop(_unquoted(match), _news(news))
        case "abort", [match]:
            return Abort(_unquoted(match))
        case "info" | "preview" | "start" | "play" | "stop" | "abort", _:
            count = f"{len(arguments)} {agree(len(arguments), 'argument')}"
            raise InvalidMessage(f"{kind.upper()} does not take {count}: {shown(text)}")
    raise InvalidMessage(f"there is no message {shown(kind)}, only INFO, PREVIEW, START, PLAY, STOP and ABORT")


# ---- reading ----


def _unquoted(name: str) -> str:
    bare = name[1:-1] if len(name) > 2 and name[0] == name[-1] and name[0] in "\"|'" else name
    if not _NAME.fullmatch(bare):
        raise InvalidMessage(f"a match cannot be called {shown(name)}")
    return bare


def _role(text: str) -> str:
    try:
        return str(as_term(text))
    except InvalidTerm as error:
        raise InvalidMessage(f"{shown(text)} cannot be a role: {error}") from error


def _rules(text: str) -> str:
    if not is_list(text):
        raise InvalidMessage(f"the rules must be a list, not {shown(text)}")
    return text[1:-1].strip()


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 <= seconds < math.inf:
        raise InvalidMessage(f"a clock is a number of seconds, not {shown(text)}")
    return seconds


def _news(arguments: list[str]) -> News:
    if len(arguments) < 3:
        return Moves(_terms(arguments[0])) if arguments else Moves()
    turn, move, percepts = arguments
    if not (turn.isascii() and turn.isdigit() and len(turn) < 10):
        raise InvalidMessage(f"a turn is a number, not {shown(turn)}")
    made = _terms(f"({move})") if not _is_nil(move) else ()
    return Percepts(int(turn), made[0] if made else None, frozenset(_terms(percepts)))


def _terms(text: str) -> tuple[Term, ...]:
    """The terms of a list; a lone symbol is a list of its own, and NIL or an empty list is none."""
    if _is_nil(text):
        return ()
    try:
        return as_terms(text[1:-1]) if is_list(text) else (as_term(text),)
    except InvalidTerm as error:
        # Of a series, the reason is in what caused the error.
        reason = error.__cause__ or error
        raise InvalidMessage(f"{shown(text)} is no list of moves or percepts: {reason}") from error


def _is_nil(text: str) -> bool:
    return text.lower() == "nil" or (is_list(text) and not elements(text))


# ---- printing ----


def _name(match: str) -> str:
    if not _NAME.fullmatch(match):
        raise InvalidMessage(f"a match cannot be called {shown(match)}")
    return match


def _listed(terms: Iterable[Term]) -> str:
    return f"({inside})" if (inside := " ".join(map(str, terms))) else "NIL"
