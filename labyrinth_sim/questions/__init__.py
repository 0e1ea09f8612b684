"""Questions that people ask of a game, one file each."""
