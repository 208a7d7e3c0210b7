"""Search: which move is good, and what can be known before choosing."""
