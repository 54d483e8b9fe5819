"""Where a client keeps its token, so that it is the same player the next time."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Protocol

# The version of the file, and its key.
FORMAT = {"noughts_identity": 1}


class StoreError(Exception):
    """The store cannot be read or written. It says nothing about the connection."""


class Store(Protocol):
    """Keeps the token of one player on one server. Whoever has the token is that player."""

    def load(self) -> str | None: ...

    def save(self, token: str | None) -> None: ...


class MemoryStore:
    """Forgets the token with the process: the next one is another player."""

    def __init__(self) -> None:
        self.token: str | None = None

    def load(self) -> str | None:
        return self.token

    def save(self, token: str | None) -> None:
        self.token = token


class FileStore:
    """Keeps the token in an identity file, which the page and the terminal can read too.

    Use one file for each server and each client: another server gives another token.
    """

    def __init__(self, path: str | os.PathLike[str], server: str = "", name: str = "") -> None:
        self.path = Path(path)
        self.server = server
        self.name = name

    def load(self) -> str | None:
        """Raises StoreError where the file is there and is no identity file."""
        try:
            identity = json.loads(self.path.read_text("utf-8"))
        except FileNotFoundError:
            return None
        except (ValueError, RecursionError):
            identity = None
        token = identity.get("token") if isinstance(identity, dict) else None
        if not isinstance(token, str) or identity.get("noughts_identity") != 1:
            advice = "name another one, or remove it to be somebody new"
            raise StoreError(f"{self.path} is no identity file: {advice}")
        return token

    def save(self, token: str | None) -> None:
        """Replaces the file at once; only its owner may read it."""
        if token is None:
            self.path.unlink(missing_ok=True)
            return
        identity = {**FORMAT, "server": self.server, "name": self.name, "token": token}
        draft = self.path.with_name(self.path.name + ".new")
        draft.unlink(missing_ok=True)
        place = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with open(place, "w", encoding="utf-8") as file:
            file.write(json.dumps(identity) + "\n")
        os.replace(draft, self.path)
