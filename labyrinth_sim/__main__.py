"""``labyrinth-sim``, and ``python -m labyrinth_sim``: the process around the command."""

import signal
import sys
from pathlib import Path
from types import FrameType


def entry() -> None:
    """Run the command and end the process with its exit status.

    A request to end, such as that of ``timeout`` or of a terminal that is closed, is heard as
    Ctrl-C is, so that what is done is kept; one that is ignored stays ignored.
    """
    if not sys.flags.safe_path:  # so that MODULE:NAME may lie in the working folder
        sys.path.append(str(Path.cwd()))
    heard = signal.SIGINT

    def end(number: int, frame: FrameType | None) -> None:
        nonlocal heard
        heard = signal.Signals(number)
        raise KeyboardInterrupt

    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, end)
    try:
        from labyrinth_sim.cli import main  # here, so that Ctrl-C is heard while it loads
        from labyrinth_sim.cli.ending import INTERRUPTED
        from labyrinth_sim.cli.streams import make_streams_safe

        make_streams_safe()

        status = main()
        if status == INTERRUPTED:
            status = 128 + heard
    except KeyboardInterrupt:
        print("labyrinth-sim: interrupted", file=sys.stderr)
        status = 128 + heard
    sys.exit(status)


if __name__ == "__main__":
    entry()
