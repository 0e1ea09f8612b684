"""One file a question: what it asks for, and what it makes of the blocks."""
