"""Proofs from the rules themselves, by answer sets, for games that are too large to ground."""
