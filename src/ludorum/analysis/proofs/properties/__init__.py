"""What can be asked about a game: each property, by its name, as formulas over states."""
