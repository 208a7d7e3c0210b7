"""What the HTTP player answers to what it cannot do."""

from __future__ import annotations


class Refusal(Exception):
    """An answer that is none: an HTTP status, a word for programs and a sentence for people."""

    def __init__(self, status: int, code: str, reason: str) -> None:
        super().__init__(reason)
        self.status = status
        self.code = code
        self.reason = reason

    def __str__(self) -> str:
        """As the body of a response and a line of the log: one balanced list, whatever the reason quotes."""
        reason = " ".join(self.reason.split()).replace('"', "'").replace("(", "[").replace(")", "]")
        reason = "".join(letter if letter.isprintable() else "?" for letter in reason)
        return f'(error {self.code} "{reason}")'
