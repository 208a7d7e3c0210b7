"""Properties as gates on the circuit, and the circuit as clauses for a SAT solver."""
