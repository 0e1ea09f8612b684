"""The family of Labyrinth: cards of a tableau are available at their free edges."""
