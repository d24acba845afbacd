"""Fixtures that tests of several widgets share."""

from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

import quatviz as qv
from quatviz.display.document.document import Document
from quatviz.display.document.state import State
from quatviz.ui.sidebar.setup.panel import SetupPanel


@pytest.fixture
def document_preset() -> qv.Preset:
    """Return the preset of `document`. A test file may define another one."""
    return qv.load_preset("torque_free")


@pytest.fixture
def document(document_preset: qv.Preset) -> Iterator[Document]:
    document = Document(State.default_for(document_preset))
    yield document
    document.close()


@pytest.fixture
def panel(qtbot: QtBot, document: Document) -> SetupPanel:
    """Return the setup of `document` with the section of the body unfolded."""
    panel = SetupPanel(document)
    panel.sections["Body"].set_open(True)
    qtbot.addWidget(panel)
    panel.show()
    return panel
