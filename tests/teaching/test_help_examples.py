"""The help is correct: its Python runs, its notebooks reproduce their outputs, its commands and quantities exist."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from quatviz.base import resources
from quatviz.commands import COMMANDS
from quatviz.physics.observables.quantities import QUANTITIES
from quatviz.teaching.help import pages

if TYPE_CHECKING:
    from jupyter_client.manager import KernelManager

PAGES = sorted(resources.asset_path("help").glob("*.md"))


def blocks(page: Path) -> str:
    """Return the page with everything but its Python commented out, so that a failure names the line of the page."""
    inside = False
    lines = []
    for line in page.read_text("utf-8").splitlines():
        fence = line.startswith("```")
        lines.append(line if inside and not fence else "")
        inside = line == "```python" if fence else inside
    return "\n".join(lines)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_help_examples_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    exec(compile(blocks(page), str(page), "exec"), {"__name__": "__main__"})


# --- notebooks

NOTEBOOKS = sorted(resources.asset_path("help").glob("*.ipynb"))
_NUMBER = re.compile(r"(?<![\w.])[-−]?\d+\.?\d*(?:e[-+]?\d+)?")
_TIMES = re.compile(r"\d+ ns per step, [\d.]+ times that of newton_euler")
_ROUNDING = 1e-7


@pytest.fixture(scope="module")
def jupyter(tmp_path_factory: pytest.TempPathFactory) -> "Iterator[KernelManager]":
    """Start one kernel for all notebooks, because importing quatviz takes as long as running one."""
    from jupyter_client.manager import KernelManager

    manager = KernelManager(
        kernel_name="python3", transport="ipc", ip=str(tmp_path_factory.mktemp("k") / "k")
    )
    manager.start_kernel(cwd=str(tmp_path_factory.mktemp("notebooks")))
    yield manager
    manager.shutdown_kernel(now=True)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_reproduces_its_outputs(path: Path, jupyter: "KernelManager") -> None:
    import nbformat
    from nbclient import NotebookClient

    shown = nbformat.read(path, as_version=4)
    run = nbformat.read(path, as_version=4)
    run.cells.insert(0, nbformat.v4.new_code_cell("%reset -f"))
    client = NotebookClient(run, km=jupyter, timeout=300, coalesce_streams=True)
    client.execute(cleanup_kc=False)
    assert client.kc is not None
    client.kc.stop_channels()
    del run.cells[0]
    for expected, actual in zip(shown.cells, run.cells, strict=True):
        for first, second in zip(expected.get("outputs", []), actual.get("outputs", []), strict=True):
            again = (
                f"{path.name}: a cell gives something else than it shows: run the notebook anew, and store it"
            )
            assert alike(texts(first), texts(second)), f"{again}\n{texts(first)}\n{texts(second)}"


def texts(output: Any) -> dict[str, str]:
    """Return the outputs of a cell; for a picture its size from the PNG header."""
    data = output.get("data") or {"text/plain": output["text"]}
    return {mime_type: text[:32] if mime_type == "image/png" else text for mime_type, text in data.items()}


def alike(left_data: dict[str, str], right_data: dict[str, str]) -> bool:
    """Return True if all words are equal, and all numbers except for rounding and times."""
    if left_data.keys() != right_data.keys():
        return False
    for mime_type, text in left_data.items():
        first, second = (_TIMES.sub("", string) for string in (text, right_data[mime_type]))
        if mime_type == "image/png" or _NUMBER.sub("#", first) != _NUMBER.sub("#", second):
            return first == second
        numbers = (
            [float(n.replace("−", "-")) for n in _NUMBER.findall(string)] for string in (first, second)
        )
        if not all(abs(a - b) <= 1e-3 * abs(b) + _ROUNDING for a, b in zip(*numbers, strict=True)):
            return False
    return True


def test_changed_notebook_output_is_detected() -> None:
    assert alike(
        {"text/plain": "off by 3.1e-13, 435 ns per step, 5.3 times that of newton_euler"},
        {"text/plain": "off by 8e-12, 410 ns per step, 5 times that of newton_euler"},
    )
    for text in ("off by 3.1e-03", "off from 3.1e-13", "off by 3.1e-13 and 1"):
        assert not alike({"text/plain": "off by 3.1e-13"}, {"text/plain": text})


def test_scripting_page_covers_commands_and_quantities() -> None:
    text = pages()["scripting"].text
    assert text.count("```python") >= 6
    assert set(re.findall(r"^    quatviz ([a-z]+)", text, re.MULTILINE)) == set(COMMANDS) - {"window"}
    missing = [
        name for name, quantity in QUANTITIES.items() if not quantity.sequence and f"`{name}`" not in text
    ]
    assert missing == []
