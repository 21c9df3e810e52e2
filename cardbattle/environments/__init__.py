"""Offer battles as environments for reinforcement learning, with PettingZoo and OpenSpiel.

The environments use only the public library. `cardbattle.environments.pettingzoo` needs the extra
`cardbattle[rl]`, and `cardbattle.environments.open_spiel` needs the package `open_spiel`. The page
docs/environments.md describes actions, observations and rewards.
"""
