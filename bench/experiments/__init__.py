"""The experiments of three papers, repeated, and `cadia` against `mcts`; see docs/lab/experiments.md."""
