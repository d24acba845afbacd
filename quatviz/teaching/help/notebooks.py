"""Conversion of a Jupyter notebook to a help page: texts, code and outputs as Markdown.

An output may have several representations. The page shows the first that exists of formulas, picture, table and text.
"""

import base64
import json
from collections.abc import Iterator, Mapping
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from quatviz.base.markdown import format_markdown_table


def read_notebook(path: Path) -> tuple[str, dict[str, bytes]]:
    """Return a notebook as Markdown, and its pictures as PNG data by their file names in the Markdown."""
    pictures: dict[str, bytes] = {}
    parts = [
        part
        for cell in json.loads(path.read_text("utf-8"))["cells"]
        for part in _cell_parts(cell, path.stem, pictures)
    ]
    parts.append(f"This page is a notebook, which Jupyter opens and runs as it stands: `{path}`.")
    return "\n\n".join(parts) + "\n", pictures


def _cell_parts(cell: Mapping[str, Any], name: str, pictures: dict[str, bytes]) -> Iterator[str]:
    source = _join_lines(cell["source"])
    if cell["cell_type"] != "code":
        yield source
        return
    yield f"```python\n{source}\n```"
    for output in cell["outputs"]:
        yield _output_markdown(output.get("data") or {"text/plain": output["text"]}, name, pictures)


def _output_markdown(data: Mapping[str, Any], name: str, pictures: dict[str, bytes]) -> str:
    """Return an output of a cell as Markdown."""
    if "text/latex" in data:
        return "\n\n".join(f"$$\n{line}\n$$" for line in _split_formulae(_join_lines(data["text/latex"])))
    if "image/png" in data:
        picture_name = f"{name}-{len(pictures) + 1}.png"
        pictures[picture_name] = base64.b64decode(_join_lines(data["image/png"]))
        return f"![a figure]({picture_name})"
    if "<table" in (text := _join_lines(data.get("text/html", ""))):
        parser = _Table()
        parser.feed(text)
        return parser.markdown
    return f"```text\n{_join_lines(data['text/plain']).rstrip()}\n```"


def _join_lines(source: str | list[str]) -> str:
    """Return a text that a notebook stores as a string or as a list of lines."""
    return source if isinstance(source, str) else "".join(source)


def _split_formulae(latex: str) -> list[str]:
    """Split an aligned formula into its lines."""
    bare = latex.strip("$ \n").removeprefix(r"\begin{aligned}").removesuffix(r"\end{aligned}")
    return [line.replace("&", "").strip() for line in bare.split(r"\\")]


class _Table(HTMLParser):
    """Parser of an HTML table as pandas writes it."""

    def __init__(self) -> None:
        super().__init__()
        self._head: list[list[str]] = []
        self._rows: list[list[str]] = []
        self._caption = ""
        self._tag = ""

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        if tag == "tr":
            self._rows.append([])
        elif tag in ("th", "td"):
            self._rows[-1].append("")
        self._tag = tag

    def handle_endtag(self, tag: str) -> None:
        if tag == "thead":
            self._head, self._rows = self._rows, []
        self._tag = ""

    def handle_data(self, data: str) -> None:
        if self._tag in ("th", "td"):
            self._rows[-1][-1] += data
        elif self._tag == "caption":
            self._caption += data

    @property
    def markdown(self) -> str:
        """The table as Markdown. The second heading line, in which pandas writes the names of the index, is merged with
        the first one."""
        head = ["" for _ in self._rows[0]]
        for row in self._head:
            head = [below or above for above, below in zip(head, row, strict=True)]
        caption = [f"*{self._caption}*"] if self._caption else []
        return "\n\n".join([*caption, format_markdown_table(head, self._rows)])
