"""A client of Noughts: bots, walls and notebooks. The README of the package shows all of it."""

from . import wire
from .client import Client, Closed, connect
from .http import Server
from .party import Party
from .room import Chat, Game, Presence, Room, other
from .session import Happening, Refused, Session
from .store import FileStore, MemoryStore, Store, StoreError

__all__ = [
    "Chat",
    "Client",
    "Closed",
    "FileStore",
    "Game",
    "Happening",
    "MemoryStore",
    "Party",
    "Presence",
    "Refused",
    "Room",
    "Server",
    "Session",
    "Store",
    "StoreError",
    "connect",
    "other",
    "wire",
]
