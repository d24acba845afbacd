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
from quatviz.base.formatting import split_key
from quatviz.base.translation import translated_error
from quatviz.physics.events import EVENTS
from quatviz.physics.loads import LOADS

SYSTEM_TEXTS = (
    "No such file or directory",
    "Expected ']' at the end of a table declaration",
    "Invalid value",
)
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
    """Return every text that a tool finds in the package, and the words of names: the work of a translator."""
    texts = set(SYSTEM_TEXTS)
    for path in resources.PACKAGE.rglob("*.py"):
        if "ui" not in path.relative_to(resources.PACKAGE).parts:
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    texts.add(node.value)
                elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                    texts.add(node.target.id)
        texts.add(path.parent.name)  # the name of a family of parts
    keys = [name for name in texts if name.isidentifier()]
    return frozenset(texts | {name.replace("_", " ") for name in keys} | set(map(split_key, keys)))


class UppercaseTranslator(QTranslator):
    """Translator to capitals, except for placeholders and texts that are capitals already."""

    def translate(self, context: str, text: str, disambiguation: str = "", n: int = -1) -> str:  # type: ignore[override]
        return re.sub(
            r"\{[^}]*\}|[a-z]+", lambda match: match[0] if match[0][0] == "{" else match[0].upper(), text
        )


class KnownTextTranslator(UppercaseTranslator):
    """Translates what is one of these texts, as a file of translations does: a text put together without a template is
    none."""

    def translate(self, context: str, text: str, disambiguation: str = "", n: int = -1) -> str:  # type: ignore[override]
        return super().translate(context, text, disambiguation, n) if text in literals() else text


@contextmanager
def installed_translator(app: QCoreApplication, translator: QTranslator) -> Iterator[None]:
    """The application speaks as this one does."""
    assert app.installTranslator(translator)
    try:
        yield
    finally:
        app.removeTranslator(translator)


@pytest.fixture
def uppercase_translation(qapp: QCoreApplication) -> Iterator[None]:
    with installed_translator(qapp, KnownTextTranslator()):
        yield


def make_load(name: str, **parameters: Any) -> Any:
    return cast("Any", LOADS[name])(**parameters)


def make_event(name: str, **parameters: Any) -> Any:
    return cast("Any", EVENTS[name])(**parameters)


def untranslated_words(text: str, keep: Iterable[str] = ()) -> list[str]:
    """The words of a translated text that are still in English; `keep` are names that stand in it without quotes."""
    plain = UNIT.sub(" ", IDENTIFIER.sub(" ", QUOTED.sub(" ", text)))
    return [word for word in WORD.findall(plain) if word not in set(keep)]


def translated_parts(refusal: InputError) -> dict[str, str]:
    error = translated_error(refusal)
    return {name: getattr(error, name) for name in ("place", "expected", "found", "remedy")}
