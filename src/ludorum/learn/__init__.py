"""Learning what states are worth: a net plays against itself, and learns from how the games went on."""

from ludorum.learn.learning import Learning, Progress, learn
from ludorum.learn.network import Network
from ludorum.learn.settings import LearnSettings
from ludorum.learn.store import find_net, keep_net, net_evaluation

__all__ = ["LearnSettings", "Learning", "Network", "Progress", "find_net", "keep_net", "learn", "net_evaluation"]
