"""Where the cells of a board lie in the plane, one way of laying them out a file."""

from ludorum.drawing.layouts.layout import Layout, Slot

__all__ = ["Layout", "Slot"]
