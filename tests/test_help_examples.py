"""What the help says is true: its Python runs, its commands and quantities exist."""

import re
from pathlib import Path

import pytest

from quatviz.base import resources
from quatviz.commands import COMMANDS
from quatviz.help import pages
from quatviz.motion.observables import QUANTITIES

PAGES = sorted(resources.asset("help").glob("*.md"))


def blocks(page: Path) -> str:
    """The page's Python in place, everything else commented out, so that a failure names the line of the page."""
    inside = False
    lines = []
    for line in page.read_text("utf-8").splitlines():
        fence = line.startswith("```")
        lines.append(line if inside and not fence else "")
        inside = line == "```python" if fence else inside
    return "\n".join(lines)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_examples_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    exec(compile(blocks(page), str(page), "exec"), {"__name__": "__main__"})


def test_the_scripting_page_has_examples_commands_and_quantities() -> None:
    text = pages()["scripting"].text
    assert text.count("```python") >= 6
    assert set(re.findall(r"^    quatviz ([a-z]+)", text, re.MULTILINE)) == set(COMMANDS) - {"window"}
    missing = [
        name for name, quantity in QUANTITIES.items() if not quantity.sequence and f"`{name}`" not in text
    ]
    assert missing == []
