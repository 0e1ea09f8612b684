"""``python -m labyrinth_sim``, the same as ``labyrinth-sim``."""

from labyrinth_sim.cli import entry

entry()
