"""Every game of the library becomes Gymnasium's `ludorum/NAME-v0`.

Any other game is `gymnasium.make("ludorum/Game-v0", game="rules.kif")`.
"""

from __future__ import annotations

from gymnasium.envs.registration import register as announce
from gymnasium.envs.registration import registry

from ludorum import library


def register() -> None:
    """Tell Gymnasium; `import ludorum` does so where Gymnasium was imported before, `ludorum.envs.gymnasium` always."""

    if "ludorum/Game-v0" in registry:
        return
    named = {f"ludorum/{name}-v0": {"game": name} for name in library.names()}
    for id_, options in {"ludorum/Game-v0": {}, **named}.items():
        announce(id=id_, kwargs=options, entry_point="ludorum.envs.gymnasium:GameEnv",
                 vector_entry_point="ludorum.envs.gymnasium:GameVectorEnv")
