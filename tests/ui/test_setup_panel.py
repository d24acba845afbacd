"""The set-up panel and the gallery against a real editor, without the window around them."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

import quatviz as qv
from quatviz import resources
from quatviz.core.loads import LOADS
from quatviz.core.preset_text import format_preset, read_preset
from quatviz.core.rotations import relative_angle
from quatviz.simulation.simulation import Simulation
from quatviz.ui.desk import Desk
from quatviz.ui.editing import Editor, State
from quatviz.ui.gallery import Gallery, read_cards
from quatviz.ui.preset_picker import PresetPicker
from quatviz.ui.setup.entry import Entry
from quatviz.ui.setup.initial_form import ORIENTATIONS, RATES
from quatviz.ui.setup.panel import SetupPanel
from quatviz.ui.theme import DARK, LIGHT


@pytest.fixture
def panel(qtbot: QtBot) -> Iterator[SetupPanel]:
    """A panel whose editor accepts what a simulation accepts, all of it unfolded."""

    def show(state: State) -> None:
        Simulation(state.preset)

    editor = Editor(State.of(qv.load_preset("torque_free")), show)
    panel = SetupPanel(DARK, editor)
    for section in panel.sections.values():
        section.set_open(True)
    qtbot.addWidget(panel)
    panel.show()
    yield panel
    editor.close()


def enter(entry: Entry, text: str) -> None:
    entry.setFocus()
    entry.selectAll()
    QTest.keyClicks(entry, text)
    QTest.keyClick(entry, Qt.Key.Key_Return)


def test_an_edit_of_each_section_reaches_the_preset(panel: SetupPanel) -> None:
    editor = panel._editor
    enter(panel.body.blocks["inertia"].field.entries[0], "450")
    enter(panel.initial.forms["angular_momentum"].blocks["angular_momentum"].field.entries[1], "7")
    enter(panel.run.blocks["duration"].field.entries[0], "15")
    preset = editor.state.preset
    assert preset.body.inertia[0, 0] == 450
    assert preset.initial.angular_momentum[1] == 7
    assert preset.run.duration == 15
    assert [editor.stack.text(step) for step in range(3)] == [
        "body: inertia", "initial state: angular momentum", "run: duration",
    ]  # fmt: skip
    editor.stack.undo()
    assert panel.run.blocks["duration"].field.entries[0].text() == "40"


def test_what_only_the_simulation_refuses_is_explained_in_place(panel: SetupPanel) -> None:
    editor = panel._editor
    before = editor.state
    box = panel.run.blocks["integrator"].field.box  # type: ignore[attr-defined]
    box.add("no_such_method", "No such method")
    box.setCurrentIndex(box.count() - 1)
    box.activated.emit(box.count() - 1)
    assert editor.state == before
    assert "no_such_method" in panel.run.blocks["integrator"].message.text()


@pytest.mark.parametrize("orientation", ORIENTATIONS)
@pytest.mark.parametrize("rate", RATES)
def test_another_way_of_giving_the_start_is_the_same_start(
    orientation: str, rate: str, panel: SetupPanel
) -> None:
    editor = panel._editor
    enter(panel.initial.forms["euler_parameters"].blocks["euler_parameters"].field.entries[0], "0.6")
    editor.propose("turn", lambda state: state.with_preset(initial=qv.Initial(
        euler_parameters=[0.5, 0.1, -0.7, 0.5], angular_momentum=[1.0, 2.0, 3.0],
    )))  # fmt: skip
    before = editor.state.preset
    for box, way in zip(panel.initial.ways, (orientation, rate), strict=True):
        box.show_value(way)
        box.chosen.emit(way)
    after = editor.state.preset
    assert getattr(after.initial, orientation) is not None
    assert getattr(after.initial, rate) is not None
    assert relative_angle(after.initial.p(), before.initial.p()) < 1e-9
    assert np.allclose(after.initial.omega(after.body), before.initial.omega(before.body), rtol=1e-11)
    shown = [name for name, form in panel.initial.forms.items() if form.isVisible()]
    assert shown == [orientation, rate]


def test_angles_have_a_sequence_and_degrees(panel: SetupPanel) -> None:
    editor = panel._editor
    panel.initial.ways[0].chosen.emit("angles")
    form = panel.initial.forms["angles"]
    enter(form.blocks["degrees"].field.entries[1], "30")
    assert editor.state.preset.initial.angles.degrees.tolist() == [0, 30, 0]
    box = form.blocks["sequence"].field.box  # type: ignore[attr-defined]
    box.show_value("313")
    box.chosen.emit("313")
    assert editor.state.preset.initial.angles.sequence == "313"
    enter(form.blocks["degrees"].field.entries[0], "x")
    assert "“x”" in form.blocks["degrees"].message.text()


def test_a_quaternion_that_is_not_unit_is_refused_with_the_unit_one(panel: SetupPanel) -> None:
    block = panel.initial.forms["euler_parameters"].blocks["euler_parameters"]
    enter(block.field.entries[1], "1")
    assert block.refused
    assert "0.7071" in block.message.text()


def test_every_kind_of_load_is_added_edited_and_removed(panel: SetupPanel) -> None:
    editor = panel._editor
    assert [action.text().lower().replace(" ", "_") for action in panel.loads.menu.actions()] == list(LOADS)
    for action in panel.loads.menu.actions():
        action.trigger()
    assert [load.name for load in editor.state.preset.loads] == list(LOADS)
    assert [card.kind for card in panel.loads.cards] == list(LOADS.values())
    number = list(LOADS).index("point_force")
    card = panel.loads.cards[number]
    enter(card.form.blocks["force"].field.entries[2], "-1.5")
    assert editor.state.preset.loads[number].force.tolist() == [0, 0, -1.5]  # type: ignore[attr-defined]
    assert panel.loads.cards[number] is card, "typing in one load does not rebuild it"
    panel.loads.cards[0].remove.click()
    assert [load.name for load in editor.state.preset.loads] == list(LOADS)[1:]
    for _ in range(len(LOADS) + 2):
        editor.stack.undo()
    assert editor.state.preset.loads == ()
    assert not panel.loads.cards


def test_a_kick_is_an_angular_impulse_in_its_form_and_in_the_step_that_edits_it(panel: SetupPanel) -> None:
    next(action for action in panel.events.menu.actions() if action.text() == "Kick").trigger()
    block = panel.events.cards[0].form.blocks["impulse"]
    assert [label.text() for label in block.findChildren(QLabel)][:2] == ["Angular impulse", "N m s"]
    enter(block.field.entries[0], "2")
    (kick,) = panel._editor.state.preset.events
    assert isinstance(kick, qv.Kick)
    assert kick.impulse[0] == 2.0
    assert panel._editor.stack.undoText() == "kick: angular impulse"


def test_another_preset_forgets_what_was_refused(panel: SetupPanel) -> None:
    block = panel.run.blocks["dt"]
    enter(block.field.entries[0], "abc")
    panel._editor.propose("choose", lambda state: state.with_preset(title="Another"))
    assert not block.refused
    assert block.field.entries[0].text() == "0.001"


def test_folded_sections_say_what_is_inside(panel: SetupPanel) -> None:
    section = panel.sections["Body"]
    section.heading.click()
    assert not panel.body.isVisible()
    assert "400, 307.8, 200" in section.heading._synopsis
    panel.restyle(LIGHT)
    section.heading.click()
    assert panel.body.isVisible()


def test_a_ring_is_kept_and_edited(panel: SetupPanel) -> None:
    editor = panel._editor
    assert not panel.ring.isVisible()
    editor.propose("choose", lambda _: State.of(qv.load_preset("ring_damper")))
    assert panel.ring.isVisible()
    ring = editor.state.preset.body.ring
    mass = panel.body.blocks["mass"].field.entries[0]
    enter(mass, "123")
    assert editor.state.preset.body.mass == 123
    assert editor.state.preset.body.ring == ring
    enter(panel.ring.blocks["damping"].field.entries[0], "0.25")
    assert editor.state.preset.body.ring.damping == 0.25
    assert editor.state.preset.body.mass == 123
    enter(panel.ring.blocks["damping"].field.entries[0], "-1")
    assert "at least 0" in panel.ring.blocks["damping"].message.text()


# --- the gallery


def test_the_gallery_has_every_preset() -> None:
    paths = {card.path for card in read_cards()}
    assert paths == set(resources.preset_folder().glob("*.toml"))


def test_typing_finds_and_enter_chooses(qtbot: QtBot) -> None:
    chosen: list[Path] = []
    gallery = open_gallery(qtbot)
    gallery.chosen.connect(chosen.append)
    QTest.keyClicks(gallery.search, "torque free no such words")
    assert all(gallery.list.item(row).isHidden() for row in range(gallery.list.count()))
    QTest.keyClick(gallery.search, Qt.Key.Key_Return)
    assert not chosen
    gallery.search.clear()
    QTest.keyClicks(gallery.search, "TORQUE-free")
    QTest.keyClick(gallery.search, Qt.Key.Key_Return)
    assert [path.stem for path in chosen] == ["torque_free"]
    assert not gallery.isVisible()


def test_a_preset_that_cannot_be_read_says_so_and_cannot_be_chosen(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "bad.toml").write_text("format = 1\ntitle = 3\n")
    (tmp_path / "good.toml").write_text(format_preset(qv.load_preset("torque_free")))
    monkeypatch.setattr(resources, "preset_folder", lambda: tmp_path)
    with caplog.at_level(logging.ERROR):
        gallery = open_gallery(qtbot)
    chosen: list[Path] = []
    gallery.chosen.connect(chosen.append)
    assert gallery.list.count() == 2
    assert "Cannot be read" in gallery.list.item(1).toolTip()
    gallery.list.itemClicked.emit(gallery.list.item(1))
    assert not chosen
    QTest.keyClick(gallery.search, Qt.Key.Key_Down)
    QTest.keyClick(gallery.search, Qt.Key.Key_Return)
    assert [path.stem for path in chosen] == ["good"]


def open_gallery(qtbot: QtBot) -> Gallery:
    anchor = QWidget()
    anchor.resize(200, 40)
    qtbot.addWidget(anchor)
    anchor.show()
    gallery = Gallery(DARK, anchor)
    gallery.anchor = anchor  # type: ignore[attr-defined]  # lives as long as the popup
    gallery.show_below(anchor, "")
    qtbot.waitExposed(gallery)
    return gallery


def test_saving_and_opening_gives_the_same_preset(qtbot: QtBot, tmp_path: Path) -> None:
    editor = Editor(State.of(qv.load_preset("torque_free")), lambda state: None)
    picker = PresetPicker(DARK, editor, ())
    qtbot.addWidget(picker)
    editor.propose("title", lambda state: state.with_preset(title="Mine", loads=(qv.Damping(0.5),)))
    mine = editor.state.preset
    desk = Desk(editor, picker, picker)
    desk.save_as(tmp_path / "mine.toml")
    assert read_preset(tmp_path / "mine.toml") == mine
    editor.stack.undo()
    picker.take(tmp_path / "mine.toml")
    assert editor.state.preset == mine
    assert picker.problem.isHidden()
    (tmp_path / "mine.toml").write_text("format = 1")
    picker.take(tmp_path / "mine.toml")
    assert editor.state.preset == mine
    assert "Expected the key title" in picker.problem.text()
    said: list[str] = []
    desk.said.connect(lambda sentence, topic: said.append(f"{sentence} [{topic}]"))
    desk.save_as(tmp_path / "no" / "folder.toml")
    assert "could not be written" in said[0]
    assert said[0].endswith("[errors#files]")
    editor.close()
