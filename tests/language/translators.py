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
"""Messages of the system and of Python, which are shown without translation."""
QUOTED = re.compile(r"(?<!\w)'[^']*'(?!\w)|\"[^\"]*\"|“[^”]*”|`[^`]*`")
UNIT = re.compile(r"\b(rad|deg)\b")
IDENTIFIER = re.compile(
    r"[\w<>/.-]*(?:\w[_/]\w|\w\.\w|\w\[\d|\d\w|[a-z]\d)[\w<>/.\[\]-]*|(?<!\w)\.\w+|<\w+>|\w+#[\w-]+"
)
"""Identifiers, which are not translated: names with an underscore, slash, dot or digit, and file suffixes."""
WORD = re.compile(r"[A-Z]?[a-z]{3,}|[A-Z][a-z]{2}")


@cache
def literals() -> frozenset[str]:
    """Return every string literal of the package and the words of names, as a translation file would contain them."""
    texts = set(SYSTEM_TEXTS)
    for path in resources.PACKAGE.rglob("*.py"):
        if "ui" not in path.relative_to(resources.PACKAGE).parts:
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    texts.add(node.value)
                elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                    texts.add(node.target.id)
        texts.add(path.parent.name)  # the name of a family of extensions
    keys = [name for name in texts if name.isidentifier()]
    return frozenset(texts | {name.replace("_", " ") for name in keys} | set(map(split_key, keys)))


class UppercaseTranslator(QTranslator):
    """Translator to upper case, except for placeholders."""

    def translate(self, context: str, text: str, disambiguation: str = "", n: int = -1) -> str:  # type: ignore[override]
        return re.sub(
            r"\{[^}]*\}|[a-z]+", lambda match: match[0] if match[0][0] == "{" else match[0].upper(), text
        )


class KnownTextTranslator(UppercaseTranslator):
    """Translator to upper case for known literals only. Like a translation file, it does not know composed texts."""

    def translate(self, context: str, text: str, disambiguation: str = "", n: int = -1) -> str:  # type: ignore[override]
        return super().translate(context, text, disambiguation, n) if text in literals() else text


@contextmanager
def installed_translator(app: QCoreApplication, translator: QTranslator) -> Iterator[None]:
    """Install a translator in the application until the end of the block."""
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
    """Return the words of a translated text that are not translated, except the names in `keep`."""
    plain = UNIT.sub(" ", IDENTIFIER.sub(" ", QUOTED.sub(" ", text)))
    return [word for word in WORD.findall(plain) if word not in set(keep)]


def translated_parts(refusal: InputError) -> dict[str, str]:
    error = translated_error(refusal)
    return {name: getattr(error, name) for name in ("place", "expected", "found", "remedy")}
