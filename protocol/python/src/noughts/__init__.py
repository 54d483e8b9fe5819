"""A client of Noughts: bots, walls and notebooks. The README of the package shows all of it."""
