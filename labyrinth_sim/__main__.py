"""``labyrinth-sim``, and ``python -m labyrinth_sim``: the process around the command."""

import signal
import sys
from pathlib import Path


def entry() -> None:
    """Run the command and end the process with its exit status."""
    if not sys.flags.safe_path:  # so that MODULE:NAME may lie in the working folder
        sys.path.append(str(Path.cwd()))
    try:
        from labyrinth_sim.cli import main  # here, so that Ctrl-C is heard while it loads

        status = main()
    except KeyboardInterrupt:
        print("labyrinth-sim: interrupted", file=sys.stderr)
        status = 128 + signal.SIGINT
    sys.exit(status)


if __name__ == "__main__":
    entry()
