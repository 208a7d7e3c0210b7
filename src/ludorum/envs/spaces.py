"""The spaces of Gymnasium for what roles see and do."""

from __future__ import annotations

import numpy as np
from gymnasium import spaces

from ludorum.envs.encoding import Encoding


def observation_space(encoding: Encoding, role: str) -> spaces.Dict:
    """What a role sees, beside which of its moves are legal."""
    return spaces.Dict({
        "observation": spaces.Box(0, 1, encoding.shape(role), dtype=np.uint8),
        "action_mask": spaces.Box(0, 1, (len(encoding.moves[role]),), dtype=np.int8),
    })
