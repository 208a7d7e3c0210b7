"""Mechanisms: what the rules of a market make of its traders, proved, solved and counted.

In the literature: mechanism design; dominant strategies, individual rationality, budget balance, efficiency.
"""

from __future__ import annotations

from ludorum.mechanism.accounts import Accounts, Ledger
from ludorum.mechanism.mechanism import Mechanism, numbers, truth
from ludorum.mechanism.messages import Decision, Decisions
from ludorum.mechanism.proving import PROPERTIES, MechanismProof, prove_mechanism

__all__ = ["PROPERTIES", "Accounts", "Decision", "Decisions", "Ledger", "Mechanism", "MechanismProof", "numbers",
           "prove_mechanism", "truth"]
