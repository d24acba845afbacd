"""What the help's page on formulations says of each, point by point. Not a card."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from quatviz import resources

_SECTION = re.compile(r"^## (\w+): .*?$(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
_POINT = re.compile(r"^- \*\*(\w+)\*\*: (.*?)(?=^- |\n\n|\Z)", re.MULTILINE | re.DOTALL)


@cache
def _page() -> dict[str, dict[str, str]]:
    text = resources.asset("help/formulations.md").read_text("utf-8")
    return {
        name: {point: " ".join(words.split()) for point, words in _POINT.findall(section)}
        for name, section in _SECTION.findall(text)
    }


def notes(name: str) -> Mapping[str, str]:
    """Source, State, Singularity, Lambda, Errata and so on of a formulation, in Markdown; empty for one that the page
    does not know, such as a plug-in's."""
    return _page().get(name, {})
