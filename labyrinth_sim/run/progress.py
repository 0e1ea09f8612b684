"""The bar that shows how far long work is."""

from __future__ import annotations

from typing import Any

from tqdm import tqdm


def progress_bar(progress: bool | None, **options: Any) -> tqdm[Any]:
    """A bar on standard error, gone when the work is done.

    Parameters
    ----------
    progress : bool or None
        Whether to show it; None: if standard error is a terminal.
    **options
        As `tqdm.tqdm` takes them.

    Examples
    --------
    >>> with progress_bar(False, total=3, unit=" deals") as bar:
    ...     bar.update(3)
    """
    hidden = None if progress is None else not progress  # None: tqdm looks for a terminal
    return tqdm(disable=hidden, leave=False, **options)
