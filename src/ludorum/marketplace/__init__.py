"""A live market: traders near and far send messages while the clock ticks."""

from __future__ import annotations

from ludorum.marketplace.door import door
from ludorum.marketplace.holding import hold
from ludorum.marketplace.lines import DoorLine, Line, SeatLine, Ticks
from ludorum.marketplace.terminal import TerminalLine

__all__ = ["DoorLine", "Line", "SeatLine", "TerminalLine", "Ticks", "door", "hold"]
