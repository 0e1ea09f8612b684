"""The family of Maze and Gaps: cards slide into the gaps of a grid."""
