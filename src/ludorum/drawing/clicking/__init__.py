"""From moves to clicks: which places a move names, or changes, and how one gets from clicks to a move."""
