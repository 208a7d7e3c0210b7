"""Colours that people tell apart whatever their eyes see.

In the literature: the palette of Okabe and Ito (2008), made for all kinds of colour vision.
"""

from __future__ import annotations

#: For the first role, the second, and so on.
ROLES = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#8C6D1F")
#: What belongs to nobody.
NEUTRAL = ("#4D4D4D", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#8C6D1F", "#0072B2", "#D55E00")
LIGHT, DARK, EDGE, WORDS = "#F6F1E4", "#E4D8BC", "#8A8272", "#222222"
#: Stones, seeds and coins.
STONE = "#8C6D1F"
