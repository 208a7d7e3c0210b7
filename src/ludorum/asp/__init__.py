"""Answer set programming: clingo in a process of its own that can be killed, and rules in its language.

Grounding, planning, statics and proofs share it; nothing else talks to clingo.

In the literature: Gelfond, Lifschitz 1988 (stable models); Gebser, Kaminski, Kaufmann, Schaub 2019 (clingo).
"""

from ludorum.asp.process import ClingoProcess

__all__ = ["ClingoProcess"]
