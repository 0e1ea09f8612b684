"""Games by name. They are imported only when asked for; other packages may add theirs.

A package adds a game by an entry point in the group ``labyrinth_sim.games`` whose object is a
`Game`; a game that lies in any importable module is also found as ``module:NAME``.
"""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import entry_points

from labyrinth_sim.core.game import Game
from labyrinth_sim.errors import InvalidInput, unknown
from labyrinth_sim.rulesets import RuleSet

GROUP = "labyrinth_sim.games"
DEFAULT = "labyrinth"
_OURS = {
    "labyrinth": "labyrinth_sim.games.free_edge.labyrinth:GAME",
    "maze": "labyrinth_sim.games.sliding.maze:GAME",
    "gaps": "labyrinth_sim.games.sliding.gaps:GAME",
}


def find_game(name: str = DEFAULT) -> Game:
    """Load a game by name, or as ``module:NAME``.

    Parameters
    ----------
    name : str

    Returns
    -------
    Game

    Raises
    ------
    InvalidInput
        If there is no such game, or what was found is none.

    Examples
    --------
    >>> find_game("labyrinth").title
    'Labyrinth'
    """
    targets = {point.name: point.value for point in entry_points(group=GROUP)} | _OURS
    target = targets.get(name, name)
    module, colon, attribute = target.partition(":")
    if not colon:
        raise unknown("game", name, sorted(targets), "; or give MODULE:NAME")
    try:
        game = getattr(import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as problem:
        raise InvalidInput(f"can't load the game {name!r}: {problem}") from problem
    if not isinstance(game, Game):
        raise InvalidInput(f"{target} is a {type(game).__name__}, not a Game")
    return game


def find_rules(game: Game, rules: str | RuleSet | None = None) -> RuleSet:
    """Read the rules of a game; None is its default preset, a rule set is itself.

    Parameters
    ----------
    game : Game
    rules : str or RuleSet, optional
        E.g. ``pysol`` or ``pysol,columns=9``.

    Returns
    -------
    RuleSet

    Raises
    ------
    InvalidInput
        If the text names no rules, or the rule set is another game's.

    Examples
    --------
    >>> find_rules(find_game(), "pysol,columns=9").spec
    'pysol,columns=9'
    """
    if rules is None:
        return game.rules()
    if isinstance(rules, str):
        return game.rules.read(rules)
    if not isinstance(rules, game.rules):
        raise InvalidInput(
            f"{type(rules).__name__} are no rules of {game.name}; give text or "
            f"{game.rules.__name__}"
        )
    return rules
