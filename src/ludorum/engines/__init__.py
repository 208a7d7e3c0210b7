"""The engines that answer questions about a game, and the protocol they share."""
