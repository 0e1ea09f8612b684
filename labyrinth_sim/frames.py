"""Results as tidy DataFrames."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields

import pandas as pd

from labyrinth_sim.errors import InvalidInput
from labyrinth_sim.questions.simulate import SHARES, Result
from labyrinth_sim.questions.winnability import Winnability


def check_kind(value: object, *kinds: type) -> None:
    """Refuse what is not of the kind that a frame or a chart is made of.

    Raises
    ------
    InvalidInput
        It names the kind of `value`, and those that are wanted.
    """
    if not isinstance(value, kinds):
        wanted = " or ".join(kind.__name__ for kind in kinds)
        raise InvalidInput(f"a {type(value).__name__} can't be used here; give a {wanted}")


def summary_frame(results: Iterable[Result], *, rules: bool = False) -> pd.DataFrame:
    """Summarise results, a row a result.

    Parameters
    ----------
    results : iterable of Result
    rules : bool, default False
        Whether every parameter of the rules is a column too, `rules.NAME`; what each one means
        is then in ``frame.attrs["meanings"]``, by name of the column.

    Returns
    -------
    DataFrame
        Columns as in ``labyrinth-sim run --json``, `rules` left out: `rules_spec` says it.

    Raises
    ------
    InvalidInput
        If one of them is no result of a run.

    Examples
    --------
    >>> from labyrinth_sim.questions.simulate import simulate
    >>> frame = summary_frame([simulate(player=name, deals=1000) for name in ("greedy", "never")])
    >>> frame[["player", "wins"]]
       player  wins
    0  greedy   275
    1   never   250
    >>> frame = summary_frame([simulate("pysol,columns=9", deals=1000)], rules=True)
    >>> frame[["rules.refill", "rules.columns"]]
       rules.refill  rules.columns
    0  empty_column              9
    """
    rows, meanings = [], {}
    for result in results:
        check_kind(result, Result)
        row = result.summary()
        parameters = row.pop("rules")
        del row["columns"]
        if rules:
            row |= {f"rules.{name}": value for name, value in parameters.items()}
            for parameter in fields(result.rules):
                meanings[f"rules.{parameter.name}"] = parameter.metadata["meaning"]
        rows.append(row)
    frame = pd.DataFrame(rows)
    if rules:
        frame.attrs["meanings"] = meanings
    return frame


def outcome_frame(result: Result | Winnability) -> pd.DataFrame:
    """The outcome of every deal, a row a deal, indexed by the deal's number.

    Raises
    ------
    InvalidInput
        If it is no result, or kept no outcomes.
    """
    check_kind(result, Result, Winnability)
    if result.outcomes is None:
        raise InvalidInput("this result kept no outcomes; make it with keep='outcomes'")
    return result.deal_frame()


def tally_frame(result: Result | Winnability) -> pd.DataFrame:
    """How many deals had each value of each outcome column; values that none had are left out.

    So are columns of more than two bytes, whose values are not counted one by one.

    Returns
    -------
    DataFrame
        Columns `column` (str), `value` (int64) and `deals` (int64).

    Raises
    ------
    InvalidInput
        If it is no result.

    Examples
    --------
    >>> from labyrinth_sim.questions.simulate import simulate
    >>> tally_frame(simulate("wikipedia,ranks=2,columns=4", deals=100)).tail(1)
             column  value  deals
    5  resorts_used      0    100
    """
    check_kind(result, Result, Winnability)
    return result.tally_frame()


def column_frame(results: Iterable[Result | Winnability], column: str) -> pd.DataFrame:
    """Summarise an outcome column over all games, a row a result.

    Parameters
    ----------
    results : iterable of Result
    column : str
        E.g. ``cards_left``; any outcome column of the game.

    Returns
    -------
    DataFrame
        Columns `rules_spec`, `player`, `deals`, `mean` with `low`, `high`, `method` and `level` of
        its interval, and the quantiles `q05`, `q25`, `median`, `q75`, `q95` (the smallest value
        that such a share of the deals did not exceed) of a column of one or two bytes.

    Raises
    ------
    InvalidInput
        If one of them is no result, or has no such column.

    Examples
    --------
    >>> from labyrinth_sim.questions.simulate import simulate
    >>> frame = column_frame([simulate("pysol", deals=1000)], "rows_dealt")
    >>> frame[["mean", "median"]].round(2)
       mean  median
    0  5.99       6
    """
    rows = []
    for result in results:
        check_kind(result, Result, Winnability)
        found = result.mean(column)
        counted = column in result.tally.counts
        rows.append(
            {
                "rules_spec": result.rules.spec,
                "player": " ".join(result.asked.players),
                "deals": result.deals,
                "mean": found.estimate,
                "low": found.low,
                "high": found.high,
                "method": found.method,
                "level": found.level,
                **(
                    {key: result.tally.quantile(column, at) for key, at in SHARES.items()}
                    if counted
                    else {}
                ),
            }
        )
    return pd.DataFrame(rows)


def cards_left_frame(results: Iterable[Result]) -> pd.DataFrame:
    """Summarise the cards left at the end of the games, see `column_frame`."""
    return column_frame(results, "cards_left")
