"""Any rulesheet as an environment of reinforcement learning.

`ludorum.envs.gymnasium`, `ludorum.envs.pettingzoo` and `ludorum.envs.openspiel` speak the interfaces of those packages,
which are extras; `ludorum.envs.vector` has the names of PGX and needs none of them.
"""
