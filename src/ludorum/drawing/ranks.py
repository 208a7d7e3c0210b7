"""The order in which rules name things: a reason to draw one before another that is no matter of names."""

from __future__ import annotations

from collections.abc import Mapping

from ludorum.gdl.domains import Domains, Symbol
from ludorum.gdl.natural import natural
from ludorum.gdl.terms import Term


class Ranks:
    """For every symbol of a rulesheet when it is first met with; numbers come as numbers."""

    def __init__(self, domains: Domains) -> None:
        self.first: Mapping[str, int] = {
            node.name: number for number, node in enumerate(domains.nodes) if isinstance(node, Symbol)}

    def of(self, name: str) -> tuple[bool, int, list[tuple[bool, int, str]]]:
        """A key to sort symbols by."""
        if name.isdecimal():
            return False, 0, natural(name)
        return True, self.first.get(name, len(self.first)), [] if name in self.first else natural(name)

    def words(self, text: str) -> list[tuple[bool, int, list[tuple[bool, int, str]]]]:
        """A key to sort several words by."""
        return [self.of(word) for word in text.replace("(", " ").replace(")", " ").split()]

    def term(self, term: Term) -> list[tuple[bool, int, list[tuple[bool, int, str]]]]:
        """A key to sort terms by."""
        return self.words(str(term))
