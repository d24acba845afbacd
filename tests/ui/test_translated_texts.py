"""Translated texts of the window."""

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import PySide6
import pytest
from action_stubs import actions_for
from PySide6.QtCore import QCoreApplication, QLocale, QTranslator

from quatviz.app import install_translator
from quatviz.base import resources
from quatviz.base.translation import tr
from quatviz.ui.transport.transport_bar import TransportBar

pytestmark = pytest.mark.usefixtures("qapp")


class Backwards(QTranslator):
    """Translator stub that knows two texts."""

    WORDS = {"To the end": "Zum Ende", "{elapsed} of {planned} min": "{planned} min: {elapsed}"}

    def translate(self, context: str, text: str, note: str | None = None, number: int = -1) -> str:
        # None says that there is no translation; an empty text would be one.
        return self.WORDS.get(text) if context == "quatviz" else None  # type: ignore[return-value]


@pytest.fixture
def translated(qapp: QCoreApplication) -> Iterator[None]:
    translator = Backwards()
    assert qapp.installTranslator(translator)
    yield
    qapp.removeTranslator(translator)


def test_texts_are_unchanged_without_a_translator() -> None:
    assert tr("To the end") == "To the end"
    assert tr("Braces {stay} without values") == "Braces {stay} without values"
    assert tr("{text}: {value:.2f} s", text="t", value=1.0) == "t: 1.00 s"


@pytest.mark.usefixtures("translated")
def test_translator_changes_widget_texts() -> None:
    bar = TransportBar(actions_for(), lambda command: None)
    assert bar.end_button.accessibleName() == "Zum Ende"
    assert bar.restart_button.accessibleName() == "Restart"


@pytest.mark.usefixtures("translated")
def test_translator_may_reorder_values() -> None:
    assert tr("{elapsed} of {planned} min", elapsed="3:10", planned=20) == "20 min: 3:10"


_TS = """<?xml version="1.0" encoding="utf-8"?><!DOCTYPE TS><TS version="2.1" language="de_DE"><context>
<name>quatviz</name><message><source>To the end</source><translation>Zum Ende</translation></message>
</context></TS>"""


@pytest.fixture
def german(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, qapp: QCoreApplication) -> Iterator[Path]:
    """Set an empty translation folder and a German desktop."""
    before = QLocale()
    monkeypatch.setattr(resources, "asset_path", lambda name: tmp_path)
    QLocale.setDefault(QLocale("de_DE"))
    yield tmp_path
    QLocale.setDefault(before)
    for translator in qapp.findChildren(QTranslator):
        qapp.removeTranslator(translator)
        translator.setParent(None)


def test_shipped_translation_is_used(german: Path, qapp: QCoreApplication) -> None:
    release = shutil.which("lrelease", path=Path(PySide6.__file__).parent)
    assert release is not None
    (german / "de.ts").write_text(_TS, encoding="utf-8")
    subprocess.run(
        [release, str(german / "de.ts"), "-qm", str(german / "quatviz_de.qm")],
        capture_output=True,
        check=True,
    )
    assert install_translator(qapp)
    assert tr("To the end") == "Zum Ende"


@pytest.mark.usefixtures("german")
def test_language_without_translation_stays_english(qapp: QCoreApplication) -> None:
    assert not install_translator(qapp)
    assert tr("To the end") == "To the end"
    assert not qapp.findChildren(QTranslator)
