"""The HTTP player: speaks the GGP protocol, plays many matches at once, and answers in time."""

from ludorum.serve.app import make_app
from ludorum.serve.options import Options
from ludorum.serve.server import run, serving

__all__ = ["Options", "make_app", "run", "serving"]
