"""The translations that quatviz ships, for the language of the desktop."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QLocale, QTranslator

from quatviz.base import resources


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
