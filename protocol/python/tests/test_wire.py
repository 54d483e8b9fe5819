"""The types of `wire.py` are those of the schema. NOUGHTS_UPDATE=1 writes them anew."""

import os
import unittest

from wire_types import WIRE, module


class Wire(unittest.TestCase):
    def test_the_types_are_those_of_the_schema(self) -> None:
        if "NOUGHTS_UPDATE" in os.environ:
            WIRE.write_text(module())
        self.assertTrue(WIRE.read_text() == module(), "NOUGHTS_UPDATE=1 tests/run python")


if __name__ == "__main__":
    unittest.main()
