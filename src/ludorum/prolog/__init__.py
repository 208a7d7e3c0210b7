"""Games as Prolog programs, and SWI-Prolog as a process that runs them."""

from ludorum.prolog.process import PrologProcess
from ludorum.prolog.translation import to_prolog

__all__ = ["PrologProcess", "to_prolog"]
