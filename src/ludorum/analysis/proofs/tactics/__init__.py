"""How it is settled: random play, induction, k-induction, reachability, bounded search, all states."""
