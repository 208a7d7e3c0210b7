"""Boards as text: what to draw, and how."""
