"""Text to rules and back: readers, printers, diagnostics, scrambling."""
