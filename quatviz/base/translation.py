"""One way for every text to be translated. It does without Qt, so that models can speak.

InputErrors are made without Qt, by layers that know nothing of languages: `translate` and `translated_error` translate them where they are
shown. Presets, lessons and pages of the help are documents, which are translated as whole files.
"""

import os
import sys
from pathlib import Path

from quatviz.base.errors import InputError, Phrase

TRANSLATION_CONTEXT = "quatviz"


def tr(text: str, /, **values: object) -> str:
    """The text in the language of the translator that is installed, with `values` in their places.

    Write the text as a literal, so that tools that collect texts find it; only words of a table, which is made before a
    translator is installed, are given as a variable where they are shown. Places are named, `{path}`, so that a
    translator may reorder them. Braces of a text without values stand for themselves. Values that are phrases are told, too.
    """
    if not text:
        return ""  # which Qt takes for the heading of a file of translations
    qt_core = sys.modules.get(
        "PySide6.QtCore"
    )  # where no window is, Qt need not be there, and nobody has a translator
    translation = str(qt_core.QCoreApplication.translate(TRANSLATION_CONTEXT, text)) if qt_core else text
    translated_values = {
        name: translate(value) if isinstance(value, Phrase) else value for name, value in values.items()
    }
    return translation.format(**translated_values) if values else translation


def translate(text: str) -> str:
    """A text that an inner layer has made, in that language: a literal, or a `base.errors.phrase` with its values."""
    return tr(text.template, **text.values) if isinstance(text, Phrase) else tr(text)


def translated_error(error: InputError) -> InputError:
    """A refusal in that language. Call it where its sentences are shown."""
    return InputError(
        translate(error.place),
        expected=translate(error.expected),
        found=translate(error.found),
        remedy=translate(error.remedy),
        key=error.key,
        topic=error.topic,
    )


def unreadable_file_text(error: InputError, folder: Path) -> str:
    """Why a file in a folder cannot be read, in place of what is in it: the reason first, and of the path the name alone, which
    leaves room for both."""
    place, error = translate(error.place).replace(f"{folder}{os.sep}", ""), translated_error(error)
    found, expected = error.found, error.expected
    return tr(
        "Cannot be read: {found} ({place}); expected {expected}.", found=found, place=place, expected=expected
    )
