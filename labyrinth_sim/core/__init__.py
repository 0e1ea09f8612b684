"""What games, players, probes and solvers are to the machinery that runs them.

Nothing here knows a particular game, and nothing here imports numba.
"""
