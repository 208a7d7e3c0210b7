"""The page: play any game in the browser, watch the search think, step through matches, edit rules."""

from ludorum.web.options import WebOptions
from ludorum.web.server import run, serving

__all__ = ["WebOptions", "run", "serving"]
