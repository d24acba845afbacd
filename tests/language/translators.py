"""Translators that let a test see what is translated and what is not."""

import ast
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, cast

import pytest
from PySide6.QtCore import QCoreApplication, QTranslator

from quatviz.base import resources
from quatviz.base.errors import InputError
from quatviz.base.translation import translated
from quatviz.physics.events import EVENTS
from quatviz.physics.loads import LOADS

OUTSIDE = ("No such file or directory", "Expected ']' at the end of a table declaration", "Invalid value")
"""What the system and Python say of files and TOML: their own texts, which are passed on as they are."""
QUOTED = re.compile(r"(?<!\w)'[^']*'(?!\w)|\"[^\"]*\"|“[^”]*”|`[^`]*`")
UNIT = re.compile(r"\b(rad|deg)\b")
IDENTIFIER = re.compile(
    r"[\w<>/.-]*(?:\w[_/]\w|\w\.\w|\w\[\d|\d\w|[a-z]\d)[\w<>/.\[\]-]*|(?<!\w)\.\w+|<\w+>|\w+#[\w-]+"
)
"""What no language changes: names with an underscore, a slash, a dot or a digit in them, and endings of files."""
WORD = re.compile(r"[A-Z]?[a-z]{3,}|[A-Z][a-z]{2}")


@cache
def literals() -> frozenset[str]:
    """Every text that a tool finds in the package, and the words of names: what a translator is given."""
    found = set(OUTSIDE)
    for path in resources.PACKAGE.rglob("*.py"):
        if "ui" not in path.relative_to(resources.PACKAGE).parts:
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    found.add(node.value)
                elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                    found.add(node.target.id)
        found.add(path.parent.name)  # the name of a family of parts
    return frozenset(found | {name.replace("_", " ") for name in found if name.isidentifier()})


class Shouting(QTranslator):
    """Translates everything to capitals, but for places and what is one already."""

    def translate(self, context: str, text: str, disambiguation: str = "", n: int = -1) -> str:  # type: ignore[override]
        return re.sub(r"\{[^}]*\}|[a-z]+", lambda one: one[0] if one[0][0] == "{" else one[0].upper(), text)


class Knowing(Shouting):
    """Translates what is one of these texts, as a file of translations does: a text put together without a template is
    none."""

    def translate(self, context: str, text: str, disambiguation: str = "", n: int = -1) -> str:  # type: ignore[override]
        return super().translate(context, text, disambiguation, n) if text in literals() else text


@contextmanager
def translating(app: QCoreApplication, translator: QTranslator) -> Iterator[None]:
    """The application speaks as this one does."""
    assert app.installTranslator(translator)
    try:
        yield
    finally:
        app.removeTranslator(translator)


@pytest.fixture
def shouting(qapp: QCoreApplication) -> Iterator[None]:
    with translating(qapp, Knowing()):
        yield


def load(kind: str, **given: Any) -> Any:
    return cast("Any", LOADS[kind])(**given)


def event(kind: str, **given: Any) -> Any:
    return cast("Any", EVENTS[kind])(**given)


def left(said: str, keep: Iterable[str] = ()) -> list[str]:
    """The words of a translated text that are still in English; `keep` are names that stand in it without quotes."""
    bare = UNIT.sub(" ", IDENTIFIER.sub(" ", QUOTED.sub(" ", said)))
    return [word for word in WORD.findall(bare) if word not in set(keep)]


def sentences(refusal: InputError) -> dict[str, str]:
    said = translated(refusal)
    return {name: getattr(said, name) for name in ("place", "expected", "found", "remedy")}
