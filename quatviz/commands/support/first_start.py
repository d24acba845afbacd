"""First start of the stand-alone program on another type of processor: the shipped kernels are recompiled."""

import os
from contextlib import closing, suppress

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QProgressBar, QProgressDialog

from quatviz.app import make_application, process_events_for
from quatviz.base import resources
from quatviz.base.errors import InputError
from quatviz.base.translation import tr
from quatviz.display.document.user_files import preset_entries
from quatviz.display.view_state.theme import THEMES
from quatviz.physics.kernels.compiler_pool import has_cached_kernels
from quatviz.simulation.compilation import compile_presets
from quatviz.ui.window.settings import Settings

_POLL_SECONDS = 0.1
"""Time between two updates of the progress [s]."""


def is_first_start() -> bool:
    """Return True if the stand-alone program has no kernels for this processor yet."""
    return resources.is_standalone() and not has_cached_kernels()


def compile_presets_with_dialog() -> None:
    """Compile the kernels of the presets with a progress dialog, until the user skips it.

    Each preset then compiles its own kernels when it runs. The window reports kernels that cannot be saved.
    """
    view_state = Settings().view_state
    app = make_application(THEMES[view_state.theme], view_state.scale)
    message = tr(
        "At the first start quatviz compiles its equations of motion for the processor of this computer.\n"
        "This takes a minute or two and is done only once."
    )
    dialog = QProgressDialog(message, tr("Skip"), 0, 0)
    dialog.setWindowTitle(app.applicationName())
    dialog.setWindowModality(Qt.WindowModality.ApplicationModal)
    dialog.setAutoReset(False)
    progress_bar = QProgressBar()
    progress_bar.setTextVisible(False)
    dialog.setBar(progress_bar)
    dialog.show()
    presets = [entry.preset for entry in preset_entries() if entry.preset is not None]
    with suppress(InputError), closing(compile_presets(presets, os.cpu_count() or 1)) as steps:
        for done, total in steps:
            dialog.setMaximum(total)
            dialog.setValue(done)
            process_events_for(_POLL_SECONDS)
            if dialog.wasCanceled():
                break
    dialog.close()
    dialog.deleteLater()
