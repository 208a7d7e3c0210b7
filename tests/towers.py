"""The towers of Hanoi, with as many disks as one likes: rules that join disks with pegs, and most pairs fail."""

from __future__ import annotations


def hanoi(disks: int) -> str:
    """The towers of Hanoi without a limit on the moves."""
    pegs = "(peg a) (peg b) (peg c)"
    smaller = " ".join(f"(smaller {i} {j})" for i in range(1, disks + 1) for j in range(i + 1, disks + 1))
    start = " ".join(f"(init (on {i} a))" for i in range(1, disks + 1))
    done = " ".join(f"(true (on {i} c))" for i in range(1, disks + 1))
    return f"""
    (role monk) {pegs} {smaller} {start}
    (<= (covered ?d ?p) (smaller ?e ?d) (true (on ?e ?p)))
    (<= (legal monk (move ?d ?p ?q)) (true (on ?d ?p)) (peg ?q) (distinct ?p ?q)
        (not (covered ?d ?p)) (not (covered ?d ?q)))
    (<= (next (on ?d ?q)) (does monk (move ?d ?p ?q)))
    (<= (next (on ?d ?p)) (true (on ?d ?p)) (does monk (move ?e ?q ?r)) (distinct ?d ?e))
    (<= done {done}) (<= terminal done) (<= (goal monk 100) done) (<= (goal monk 0) (not done))"""
