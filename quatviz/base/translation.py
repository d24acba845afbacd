"""Translation of every text shown to the user, without importing Qt.

Texts of the window are literals in `tr(...)`. Packages without Qt raise errors and warnings as English templates
with values (`base.errors.phrase`); `tr` translates them where they are shown. Presets, lessons and help pages are
translated as whole files.
"""

import os
import sys
from pathlib import Path

from quatviz.base.errors import InputError, Phrase

TRANSLATION_CONTEXT = "quatviz"
"""Qt translation context of all texts."""


def tr(text: str, /, **values: object) -> str:
    """Translate a text into the language of the installed translator and insert the `values`.

    Parameters
    ----------
    text
        Text to translate: a literal, which tools that collect texts can find; an entry of a table of texts; or
        a `Phrase` of `base.errors.phrase`, which carries its own values. Placeholders are named, `{path}`, so
        that a translator may reorder them. Braces in a text without values are not placeholders.
    values
        Values of the placeholders. Values that are phrases are translated too.

    Returns
    -------
    str
        The translation, or the English text if no translator is installed.
    """
    if isinstance(text, Phrase):
        return tr(text.template, **text.values)
    if not text:
        return ""  # Qt returns the header of a translation file for an empty text
    # Without a window Qt may be missing, and there is no translator.
    qt_core = sys.modules.get("PySide6.QtCore")
    translation = str(qt_core.QCoreApplication.translate(TRANSLATION_CONTEXT, text)) if qt_core else text
    if not values:
        return translation
    return translation.format(
        **{name: tr(value) if isinstance(value, Phrase) else value for name, value in values.items()}
    )


def translated_error(error: InputError) -> InputError:
    """Return a copy of an error whose sentences are translated."""
    return InputError(
        tr(error.place),
        expected=tr(error.expected),
        found=tr(error.found),
        remedy=tr(error.remedy),
        key=error.key,
        topic=error.topic,
    )


def unreadable_file_text(error: InputError, folder: Path) -> str:
    """Return one line that says why a file in `folder` cannot be read.

    The line begins with the reason and names the file without its folder, so that reason and name are
    visible.
    """
    place, error = tr(error.place).replace(f"{folder}{os.sep}", ""), translated_error(error)
    found, expected = error.found, error.expected
    return tr(
        "Cannot be read: {found} ({place}); expected {expected}.", found=found, place=place, expected=expected
    )
