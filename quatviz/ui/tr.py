"""One way for every text of the window to be translated.

Refusals (`core.errors`) and the words of inner layers are made without Qt and stay as they are; presets, lessons and
pages of the help are documents, which are translated as whole files.
"""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QLocale, QTranslator

from quatviz import resources

CONTEXT = "quatviz"


def tr(text: str, /, **values: object) -> str:
    """The text in the language of the translator that is installed, with `values` in their places.

    Write the text as a literal, so that tools that collect texts find it; only words of a table, which is made before a
    translator is installed, are given as a variable where they are shown. Places are named, `{path}`, so that a
    translator may reorder them. Braces of a text without values stand for themselves.
    """
    said = QCoreApplication.translate(CONTEXT, text)
    return said.format(**values) if values else said


def install_translator(app: QCoreApplication) -> bool:
    """Use `assets/translations/quatviz_<locale>.qm` for the language of the desktop; False where there is none."""
    try:
        folder = resources.asset("translations")
    except FileNotFoundError:
        return False
    translator = QTranslator()
    if not translator.load(QLocale(), "quatviz", "_", str(folder)):
        return False
    translator.setParent(app)
    return app.installTranslator(translator)
