"""The README shows the bot that the tests run."""

import unittest
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent


class Readme(unittest.TestCase):
    def test_the_readme_shows_the_bot(self) -> None:
        bot = (PACKAGE / "examples" / "bot.py").read_text()
        self.assertIn(f"```python\n{bot}```", (PACKAGE / "README.md").read_text())


if __name__ == "__main__":
    unittest.main()
