"""The setup panel and the gallery with a real document, without the main window."""

import logging
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from action_stubs import actions_for
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

import quatviz as qv
from quatviz.base import resources
from quatviz.display.document.document import Document
from quatviz.display.document.state import State
from quatviz.display.document.user_files import preset_entries
from quatviz.display.view_state.theme import LIGHT
from quatviz.files.preset import MAX_LANES, MAX_LOADS, MAX_TITLE_LENGTH
from quatviz.files.preset_reading import format_preset, read_preset
from quatviz.physics.loads import LOADS
from quatviz.physics.mechanics.rotations import relative_angle
from quatviz.physics.observables.quantities import QUANTITIES
from quatviz.ui.sidebar.presets import MAX_SHOWN_TITLE_LENGTH, PresetCard, PresetPicker
from quatviz.ui.sidebar.setup.initial_form import ORIENTATIONS, RATES
from quatviz.ui.sidebar.setup.items_form import CARDS_PER_PAGE
from quatviz.ui.sidebar.setup.lane_loads_form import CARDS_PER_LANE, LANES_PER_PAGE
from quatviz.ui.sidebar.setup.panel import SetupPanel
from quatviz.ui.widgets.entries import LineEntry
from quatviz.ui.widgets.style import set_own_theme
from quatviz.ui.window.file_actions import FileActions


@pytest.fixture
def panel(qtbot: QtBot, document: Document) -> SetupPanel:
    """Return a panel of this document with all sections unfolded."""
    panel = SetupPanel(document)
    for section in panel.sections.values():
        section.set_open(True)
    qtbot.addWidget(panel)
    panel.show()
    return panel


def enter(entry: LineEntry, text: str) -> None:
    entry.setFocus()
    entry.selectAll()
    QTest.keyClicks(entry, text)
    QTest.keyClick(entry, Qt.Key.Key_Return)


def test_each_section_edits_the_preset(panel: SetupPanel, document: Document) -> None:
    enter(panel.body.rows["inertia"].field.entries[0], "450")
    enter(panel.initial.forms["angular_momentum"].rows["angular_momentum"].field.entries[1], "7")
    enter(panel.run.rows["duration"].field.entries[0], "15")
    preset = document.state.preset
    assert preset.body.inertia[0, 0] == 450
    assert preset.initial.angular_momentum[1] == 7
    assert preset.run.duration == 15
    assert [step.text for step in document.steps] == [
        "body: inertia", "initial state: angular momentum", "run: duration",
    ]  # fmt: skip
    document.undo()
    assert panel.run.rows["duration"].field.entries[0].text() == "40"


def test_simulation_errors_appear_beside_their_field(panel: SetupPanel, document: Document) -> None:
    before = document.state
    box = panel.run.rows["integrator"].field.box  # type: ignore[attr-defined]
    box.addItem("No such method", "no_such_method")
    box.setCurrentIndex(box.count() - 1)
    box.activated.emit(box.count() - 1)
    assert document.state == before
    assert "no_such_method" in panel.run.rows["integrator"].message.text()


@pytest.mark.parametrize("orientation", ORIENTATIONS)
@pytest.mark.parametrize("rate", RATES)
def test_changed_representation_keeps_the_initial_state(
    orientation: str, rate: str, panel: SetupPanel, document: Document
) -> None:
    enter(panel.initial.forms["euler_parameters"].rows["euler_parameters"].field.entries[0], "0.6")
    document.propose("turn", lambda state: state.with_preset(initial=qv.Initial(
        euler_parameters=[0.5, 0.1, -0.7, 0.5], angular_momentum=[1.0, 2.0, 3.0],
    )))  # fmt: skip
    before = document.state.preset
    for box, way in zip(panel.initial.representation_boxes, (orientation, rate), strict=True):
        box.show_value(way)
        box.chosen.emit(way)
    after = document.state.preset
    given = "rotation_vector" if orientation == "axis_angle" else orientation
    assert getattr(after.initial, given) is not None
    assert getattr(after.initial, rate) is not None
    assert relative_angle(after.initial.p(), before.initial.p()) < 1e-9
    assert np.allclose(after.initial.omega(after.body), before.initial.omega(before.body), rtol=1e-11)
    shown = [name for name, form in panel.initial.forms.items() if form.isVisible()]
    assert shown == [orientation, rate]
    entries = [entry for name in shown for entry in panel.initial.forms[name].findChildren(LineEntry)]
    assert all(entry.text() for entry in entries)


def test_angles_have_sequence_and_degrees(panel: SetupPanel, document: Document) -> None:
    panel.initial.representation_boxes[0].chosen.emit("angles")
    form = panel.initial.forms["angles"]
    labels = [label.text().removesuffix(" •") for label in form.rows["degrees"].findChildren(QLabel)]
    assert labels[:2] == ["Angles", "deg"]
    enter(form.rows["degrees"].field.entries[1], "30")
    assert document.state.preset.initial.angles.degrees.tolist() == [0, 30, 0]
    box = form.rows["sequence"].field.box  # type: ignore[attr-defined]
    before = document.state.preset.initial
    box.show_value("313")
    box.chosen.emit("313")
    after = document.state.preset.initial
    assert after.angles.sequence == "313"
    assert relative_angle(after.p(), before.p()) < 1e-9, "the same orientation in other numbers"
    assert [
        float(label.text()) for label in form.rows["degrees"].field.entries
    ] == after.angles.degrees.tolist()
    document.undo()
    assert document.state.preset.initial == before
    document.redo()
    enter(form.rows["degrees"].field.entries[0], "x")
    assert "“x”" in form.rows["degrees"].message.text()


@pytest.mark.parametrize("sequence", ["321", "313", "123"])
def test_angle_sliders_are_named_as_their_curves(
    panel: SetupPanel, document: Document, sequence: str
) -> None:
    initial = {"angles": {"sequence": sequence, "degrees": [30, 20, 10]}, "angular_velocity": [0, 0, 1]}
    panel.initial.show_state(
        replace(document.state, preset=replace(document.state.preset, initial=qv.Initial(**initial)))
    )
    handles = panel.initial.forms["angles"].rows["degrees"].field.sliders
    assert tuple(handle.name for handle in handles) == QUANTITIES[f"angles_{sequence}"].symbols
    ends = (0.0, 180.0) if sequence == "313" else (-90.0, 90.0)
    assert [handle.slider_range for handle in handles] == [(-180.0, 180.0), ends, (-180.0, 180.0)]


def test_axis_angle_form_keeps_axis_length_and_sense(panel: SetupPanel, document: Document) -> None:
    panel.initial.representation_boxes[0].chosen.emit("axis_angle")
    form = panel.initial.forms["axis_angle"]
    assert form.isVisible()
    axis, angle = (form.rows[name].field for name in ("axis", "degrees"))
    enter(axis.entries[1], "1")
    enter(angle.entries[0], "-90")
    vector = document.state.preset.initial.rotation_vector
    assert vector == pytest.approx(np.pi / np.sqrt(8.0) * np.array((0.0, -1.0, -1.0)))
    assert [entry.text() for entry in (*axis.entries, *angle.entries)] == ["0", "1", "1", "-90"]
    enter(axis.entries[1], "0")
    enter(axis.entries[2], "0")
    assert "no direction" in form.rows["axis"].message.text()
    document.undo()
    document.undo()
    assert [entry.text() for entry in angle.entries] == ["0"]
    panel.initial.representation_boxes[0].chosen.emit("rotation_vector")
    assert panel.initial.forms["rotation_vector"].isVisible()


def test_non_unit_quaternion_is_rejected_with_a_suggestion(panel: SetupPanel) -> None:
    block = panel.initial.forms["euler_parameters"].rows["euler_parameters"]
    enter(block.field.entries[1], "1")
    assert block.is_refused
    assert "0.7071" in block.message.text()


def test_every_load_can_be_added_edited_and_removed(panel: SetupPanel, document: Document) -> None:
    assert [action.text().lower().replace(" ", "_") for action in panel.loads.add_menu.actions()] == list(
        LOADS
    )
    for action in panel.loads.add_menu.actions():
        action.trigger()
    assert [load.name for load in document.state.preset.loads] == list(LOADS)
    assert [card.item_type for card in panel.loads.cards] == list(LOADS.values())
    number = list(LOADS).index("point_force")
    card = panel.loads.cards[number]
    enter(card.form.rows["force"].field.entries[2], "-1.5")
    assert document.state.preset.loads[number].force.tolist() == [0, 0, -1.5]  # type: ignore[attr-defined]
    assert panel.loads.cards[number] is card, "typing in a load does not rebuild its card"
    panel.loads.cards[0].remove_button.click()
    assert [load.name for load in document.state.preset.loads] == list(LOADS)[1:]
    for _ in range(len(LOADS) + 2):
        document.undo()
    assert document.state.preset.loads == ()
    assert not panel.loads.cards


def test_many_loads_are_shown_on_pages(panel: SetupPanel, document: Document) -> None:
    """The cards of many loads together blocked the window for seconds."""
    many = [qv.Gravity(weight=10.0 + number, centre=[0, 0, 1]) for number in range(MAX_LOADS - 1)]
    assert document.propose("loads", lambda state: state.with_preset(loads=many)) is None

    form = panel.loads

    def shown() -> list[int]:
        assert len(form.cards) <= CARDS_PER_PAGE
        return [card.index for card in panel.loads.cards]

    assert shown() == list(range(CARDS_PER_PAGE))
    assert not form.pager.previous_button.isEnabled()
    form.pager.next_button.click()
    assert shown() == list(range(CARDS_PER_PAGE, 2 * CARDS_PER_PAGE))
    enter(form.cards[1].form.rows["weight"].field.entries[0], "7")
    weights = [load.weight for load in document.state.preset.loads]  # type: ignore[attr-defined]
    assert weights[CARDS_PER_PAGE + 1] == 7.0
    assert weights.count(7.0) == 1
    assert shown() == list(range(CARDS_PER_PAGE, 2 * CARDS_PER_PAGE)), "an edit does not change the page"
    form.add_menu.actions()[0].trigger()
    assert shown()[-1] == MAX_LOADS - 1, "an added load is shown"
    assert not form.pager.next_button.isEnabled()
    document.undo()
    form.cards[-1].remove_button.click()
    assert shown()[-1] == MAX_LOADS - 3
    assert document.propose("fewer", lambda state: state.with_preset(loads=many[:3])) is None
    assert shown() == [0, 1, 2]
    assert form.pager.isHidden()


def test_loads_of_many_lanes_are_shown_on_pages(panel: SetupPanel, document: Document) -> None:
    """The forms of two hundred lanes together blocked the window for six seconds."""
    load = qv.Gravity(weight=1.0, centre=[0, 0, 1])
    lanes = [qv.Lane("newton_euler", name=f"{number}", loads=[load] * 9) for number in range(MAX_LANES - 1)]
    lanes.append(qv.Lane("newton_euler", name="last"))

    def show_lanes(state: State) -> State:
        return State.default_for(state.preset.with_run(lanes=lanes))

    assert document.propose("lanes", show_lanes) is None
    form = panel.lane_loads

    def shown() -> list[int]:
        assert all(len(lane_form.cards) <= CARDS_PER_LANE for lane_form in form.forms.values())
        return [number for number, _ in form.forms]

    assert shown() == list(range(LANES_PER_PAGE))
    form.pager.next_button.click()
    assert shown() == list(range(LANES_PER_PAGE, 2 * LANES_PER_PAGE))
    form.fill_menu()
    form.lane_menus["last"].actions()[0].trigger()
    assert shown()[-1] == MAX_LANES - 1, "a lane that gets its first load is shown"
    document.undo()
    assert shown()[-1] == MAX_LANES - 2


def test_kick_is_labelled_angular_impulse_in_form_and_undo(panel: SetupPanel, document: Document) -> None:
    next(action for action in panel.events.add_menu.actions() if action.text() == "Kick").trigger()
    block = panel.events.cards[0].form.rows["impulse"]
    assert [label.text() for label in block.findChildren(QLabel)][:2] == ["Angular impulse •", "N m s"], (
        "edited"
    )
    enter(block.field.entries[0], "2")
    (kick,) = document.state.preset.events
    assert isinstance(kick, qv.Kick)
    assert kick.impulse[0] == 2.0
    assert document.steps[-1].text == "kick: angular impulse"


def test_new_preset_clears_rejected_input(panel: SetupPanel, document: Document) -> None:
    block = panel.run.rows["dt"]
    enter(block.field.entries[0], "abc")
    document.propose("choose", lambda state: state.with_preset(title="Another"))
    assert not block.is_refused
    assert block.field.entries[0].text() == "0.001"


def test_folded_sections_show_a_synopsis(panel: SetupPanel) -> None:
    section = panel.sections["Body"]
    section.heading.click()
    assert not panel.body.isVisible()
    assert "400, 307.8, 200" in section.heading.synopsis
    set_own_theme(panel, LIGHT)
    section.heading.click()
    assert panel.body.isVisible()


def test_ring_is_kept_and_edited(panel: SetupPanel, document: Document) -> None:
    assert not panel.ring.isVisible()
    document.propose("choose", lambda _: State.default_for(qv.load_preset("ring_damper")))
    assert panel.ring.isVisible()
    ring = document.state.preset.body.ring
    mass = panel.body.rows["mass"].field.entries[0]
    enter(mass, "123")
    assert document.state.preset.body.mass == 123
    assert document.state.preset.body.ring == ring
    enter(panel.ring.rows["damping"].field.entries[0], "0.25")
    assert document.state.preset.body.ring.damping == 0.25
    assert document.state.preset.body.mass == 123
    enter(panel.ring.rows["damping"].field.entries[0], "-1")
    assert "at least 0" in panel.ring.rows["damping"].message.text()


# --- the gallery


def test_longest_title_does_not_fill_the_side_column(document: Document, qtbot: QtBot) -> None:
    card = PresetCard(document, actions_for())
    qtbot.addWidget(card)
    title = "word " * (MAX_TITLE_LENGTH // 5)
    assert document.propose("title", lambda state: state.with_preset(title=title.strip())) is None
    shown = max((label.text() for label in card.findChildren(QLabel) if "word" in label.text()), key=len)
    assert shown.startswith("word word")
    assert len(shown) <= MAX_SHOWN_TITLE_LENGTH + 1


def test_gallery_lists_every_preset() -> None:
    paths = {preset.path for preset in preset_entries()}
    assert paths == set(resources.preset_folder().glob("*.toml"))


def test_search_selects_and_enter_chooses(picker: PresetPicker) -> None:
    chosen: list[Path] = []
    gallery = picker.gallery
    picker.chosen.connect(chosen.append)
    assert len(gallery.listed_entries) == len(preset_entries())
    assert gallery.result_list.currentItem().text() == "Torque-free body, introductory", (
        "the displayed preset is marked"
    )
    QTest.keyClicks(gallery.field, "no-such-words")
    assert [entry.title for entry in gallery.listed_entries] == ["No results"]
    QTest.keyClick(gallery.field, Qt.Key.Key_Return)
    assert not chosen
    gallery.field.clear()
    QTest.keyClicks(gallery.field, "TORQUE-free")
    QTest.keyClick(gallery.field, Qt.Key.Key_Return)
    assert [path.stem for path in chosen] == ["torque_free"]
    assert not gallery.isVisible()


def test_unreadable_preset_is_shown_but_cannot_be_chosen(
    picker: PresetPicker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "bad.toml").write_text("format = 1\ntitle = 3\n")
    (tmp_path / "good.toml").write_text(format_preset(qv.load_preset("torque_free")))
    monkeypatch.setattr(resources, "preset_folder", lambda: tmp_path)
    gallery = picker.gallery
    with caplog.at_level(logging.ERROR):
        picker.show_gallery()
    chosen: list[Path] = []
    picker.chosen.connect(chosen.append)
    assert gallery.result_list.count() == 2
    assert "Cannot be read" in gallery.result_list.item(1).toolTip()
    gallery.result_list.itemClicked.emit(gallery.result_list.item(1))
    assert not chosen
    QTest.keyClick(gallery.field, Qt.Key.Key_Down)
    QTest.keyClick(gallery.field, Qt.Key.Key_Return)
    assert [path.stem for path in chosen] == ["good"]


def test_user_preset_has_a_menu_and_comes_first(
    picker: PresetPicker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine.toml").write_text(format_preset(qv.load_preset("heavy_top")))
    monkeypatch.setattr(resources, "user_preset_folder", lambda: tmp_path)
    asked: list[Path] = []
    monkeypatch.setattr(picker, "show_preset_menu", lambda path, point: asked.append(path))
    picker.show_gallery()
    gallery = picker.gallery
    first, second = gallery.listed_entries[:2]
    assert (first.location, second.location) == ("your preset", "introductory")
    for row in (1, 0):
        middle = gallery.result_list.visualItemRect(gallery.result_list.item(row)).center()
        gallery.result_list.customContextMenuRequested.emit(middle)
    assert asked == [tmp_path / "mine.toml"]
    gallery.hide()


@pytest.fixture
def picker(qtbot: QtBot) -> Iterator[PresetPicker]:
    document = Document(State.default_for(qv.load_preset("torque_free")))
    picker = PresetPicker(document, (), actions_for())
    qtbot.addWidget(picker)
    picker.show()
    picker.show_gallery()
    qtbot.waitExposed(picker.gallery)
    yield picker
    document.close()


def test_saved_preset_opens_unchanged(qtbot: QtBot, tmp_path: Path) -> None:
    document = Document(State.default_for(qv.load_preset("torque_free")))
    picker = PresetPicker(document, (), actions_for())
    qtbot.addWidget(picker)
    document.propose("title", lambda state: state.with_preset(title="Mine", loads=(qv.Damping(0.5),)))
    mine = document.state.preset
    desk = FileActions(document, picker, picker)
    desk.save_as(tmp_path / "mine.toml")
    assert read_preset(tmp_path / "mine.toml") == mine
    document.undo()
    desk.open(tmp_path / "mine.toml")
    assert document.state.preset == mine
    assert picker.problem.isHidden()
    (tmp_path / "mine.toml").write_text("format = 1")
    desk.open(tmp_path / "mine.toml")
    assert document.state.preset == mine
    assert "Expected the key title" in picker.problem.text()
    messages: list[str] = []
    document.message_emitted.connect(lambda sentence, topic: messages.append(f"{sentence} [{topic}]"))
    desk.save_as(tmp_path / "no" / "folder.toml")
    assert "could not be written" in messages[0]
    assert messages[0].endswith("[errors#files]")
    document.close()
