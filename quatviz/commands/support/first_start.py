"""The first start of a stand-alone program on another processor than it was made on: what it brought along is compiled anew."""

import os
from contextlib import closing, suppress

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QProgressBar, QProgressDialog

from quatviz.app import let_run, make_application
from quatviz.base import resources
from quatviz.base.errors import InputError
from quatviz.base.translation import tr
from quatviz.display.document.user_files import preset_entries
from quatviz.display.view_state.theme import THEMES
from quatviz.physics.kernels.compiler_pool import is_anything_compiled
from quatviz.simulation.compilation import compile_presets
from quatviz.ui.window.settings import Settings

_LOOK = 0.1
"""Between two looks at what is compiled [s]."""


def is_first() -> bool:
    """Whether nothing is compiled yet of what a stand-alone program brings along for its own processor."""
    return resources.standalone() and not is_anything_compiled()


def compile_all() -> None:
    """Compile what the presets run, with a bar, until all is or a person would rather begin: each preset compiles its own then.
    What cannot be kept is told by the window."""
    look = Settings().look
    app = make_application(THEMES[look.theme], look.scale)
    words = tr(
        "At its first start quatviz compiles its equations of motion for this computer’s processor.\n"
        "It takes a minute or two, and is done once."
    )
    bar = QProgressDialog(words, tr("Begin without"), 0, 0)
    bar.setWindowTitle(app.applicationName())
    bar.setWindowModality(Qt.WindowModality.ApplicationModal)
    bar.setAutoReset(False)
    line = QProgressBar()
    line.setTextVisible(False)
    bar.setBar(line)
    bar.show()
    presets = [entry.preset for entry in preset_entries() if entry.preset is not None]
    with suppress(InputError), closing(compile_presets(presets, os.cpu_count() or 1)) as steps:
        for done, total in steps:
            bar.setMaximum(total)
            bar.setValue(done)
            let_run(_LOOK)
            if bar.wasCanceled():
                break
    bar.close()
    bar.deleteLater()
