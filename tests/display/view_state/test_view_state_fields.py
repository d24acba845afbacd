"""A saved view state as a value: valid contents, and a text round trip of every field, including future ones."""

import re
from dataclasses import fields, replace
from pathlib import Path

import pytest
from view_state_samples import single_field_changes

import quatviz as qv
from quatviz.base.errors import InputError
from quatviz.display.view_state.camera import Camera, CameraPose
from quatviz.display.view_state.lane_styles import LaneStyles
from quatviz.display.view_state.session import Session, format_session, parse_session, read_session
from quatviz.display.view_state.signal import Signal
from quatviz.display.view_state.view_layout import ViewLayout
from quatviz.display.view_state.view_state import (
    SESSION_SCOPES,
    SETTINGS_SCOPES,
    ViewState,
    format_view_state,
    parse_view_state,
    read_view_state,
    toml_tables,
)
from quatviz.files.schema import RUN, SCREEN, TRANSIENT, USER

CHANGES = single_field_changes()
every_change = pytest.mark.parametrize(
    ("field", "look"), [(field, look) for _, field, look in CHANGES], ids=[name for name, _, _ in CHANGES]
)
FIRST_SESSION = Path(__file__).parents[2] / "support" / "session_of_the_first_version.toml"


def test_change_list_covers_every_field() -> None:
    assert {field for _, field, _ in CHANGES} == {field.name for field in fields(ViewState)}
    assert all(look != ViewState() for _, _, look in CHANGES)
    assert {"views.lanes", "views.linked", "layout.floating"} <= {name for name, _, _ in CHANGES}


def test_every_field_has_a_scope() -> None:
    assert set(ViewState.field_names((USER, RUN, SCREEN, TRANSIENT))) == {
        field.name for field in fields(ViewState)
    }
    assert ViewState.field_names((TRANSIENT,)) == ("maximised", "scrolled")
    assert ViewState.field_names((SCREEN,)) == ("theme", "scale")


@every_change
def test_every_field_survives_a_file(field: str, look: ViewState, tmp_path: Path) -> None:
    text = format_view_state(look)
    assert parse_view_state(text) == look
    assert format_view_state(parse_view_state(text)) == text
    file = tmp_path / "mine.toml"
    file.write_text(text, "utf-8")
    assert read_view_state(file) == look


@every_change
def test_session_stores_every_field_except_screen_fields(field: str, look: ViewState) -> None:
    preset = qv.load_preset("torque_free")
    kept = look if field in ViewState.field_names(SESSION_SCOPES) else ViewState()
    text = format_session(Session(preset, look))
    assert parse_session(text).view_state == kept
    assert parse_view_state(text) == kept, "a session is also a view state file"


@every_change
def test_settings_store_every_field_except_run_fields(field: str, look: ViewState) -> None:
    table = look.to_table(SETTINGS_SCOPES)
    read, bad = ViewState.from_damaged_table(table)
    assert not bad
    of_run = field not in ViewState.field_names(SETTINGS_SCOPES) or look == replace(
        ViewState(), views=ViewLayout(lanes=look.views.lanes)
    )
    assert read == (ViewState() if of_run else look)


@every_change
def test_view_states_merge_by_scope(field: str, look: ViewState) -> None:
    everything = (USER, RUN, SCREEN, TRANSIENT)
    assert ViewState().merged_with(look, everything) == look
    assert look.merged_with(ViewState(), everything) == ViewState()
    assert replace(look, theme="dark") == look or field == "theme"


@pytest.mark.parametrize(
    ("wrong", "key", "message"),
    [
        ({"theme": "pink"}, "theme", "one of dark, light, projector"),
        ({"scale": 110}, "scale", "one of 75, 100"),
        ({"scale": True}, "scale", "one of 75"),
        ({"panels": {"h": 1}}, "panels.h", "true or false"),
        ({"views": {"number": 3}}, "views.number", "one of 1, 2, 4"),
        ({"views": {"lanes": {5: "x"}}}, "views.lanes", "keys from 1 to 4"),
        ({"views": {"nmber": 2}}, "views.nmber", "did you mean 'number'"),
        ({"options": {"sequence": "322"}}, "options.sequence", "one of 121"),
        ({"options": {"sign": "none"}}, "options.sign", "one of raw, continuous, canonical"),
        ({"span": (1.0,)}, "span", "two times"),
        ({"span": (1.0, float("nan"))}, "span[1]", "a number up to"),
        ({"magnification": 10}, "magnification", "one of 0, 1"),
        ({"layout": {"floating": {"h": [1, 2]}}}, "layout.floating.h", "left, top, width and height"),
        ({"cameras": {1: {"back": [0, 0, 2]}}}, "cameras.1.back", "a vector of length one"),
        ({"lanes": {"colours": [1]}}, "lanes.modes", "as many modes as colors"),
        ({"lanes": {"colours": [1], "modes": ["ghost"], "body": 1}}, "lanes.body", "the number of a lane"),
        ({"cursor": "now"}, "cursor", "a number up to"),
        ({"sections": "Lanes"}, "sections", "a list"),
    ],
)
def test_invalid_view_states_are_reported_in_four_parts(wrong: dict, key: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        ViewState(**wrong)
    assert message in str(caught.value)
    assert caught.value.key == key
    assert caught.value.place
    assert caught.value.found
    assert caught.value.remedy
    with pytest.raises(InputError) as caught:
        ViewState.from_table(wrong, "look")
    assert caught.value.key == f"look.{key}"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "look = 1, the version of the text"),
        ("look = 2\n", "look = 1, the version of the text"),
        ("look = 1\n\n[panels]\nh = 1\n", "line 4, panels.h"),
        ("look = 1\ncolour = 3\n", "line 2, colour"),
        ("look = \n", "line 1"),
    ],
)
def test_invalid_file_is_reported_with_its_line(text: str, message: str) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        parse_view_state(text, "mine.toml")


def test_damaged_parts_are_skipped_reported_and_others_read() -> None:
    table = {
        "theme": "light", "scale": "wide", "panels": {"h": "maybe", "omega": False}, "unheard_of": 3,
        "layout": {"blocks": [["h", 7]], "fronts": ["h"]}, "views": {"number": 17, "each": False},
    }  # fmt: skip
    look, bad = ViewState.from_damaged_table(table, "look")
    assert sorted(bad) == ["look.layout.blocks[0][1]", "look.panels.h", "look.scale", "look.views.number"]
    assert (look.theme, look.scale, look.panels) == ("light", 100, {"omega": False})
    assert look.layout.fronts == ("h",)
    assert look.views == ViewLayout(each=False)


def test_special_names_are_quoted_in_toml() -> None:
    look = ViewState(panels={"plug-in panel": True, 'a "b"\nc': False}, items={"é.x": True})
    assert parse_view_state(format_view_state(look)) == look
    assert toml_tables({}) == ""


def test_view_state_is_immutable() -> None:
    look = ViewState()
    with pytest.raises(AttributeError):
        look.theme = "light"  # type: ignore[misc]
    given = {"h": True}
    look = ViewState(panels=given)
    given["h"] = False
    assert look.panels == {"h": True}


def test_camera_pose_fits_a_view_of_another_shape() -> None:
    camera, other = Camera(), Camera()
    camera.orbit(0.3, 0.2)
    camera.zoom(1.7)
    camera.pan(0.1, -0.2)
    stance = camera.pose(1.5)
    other.set_pose(stance, 0.8)
    assert other.pose(0.8).shown == pytest.approx(stance.shown)
    assert other.back == pytest.approx(camera.back, abs=1e-8)
    assert other.target == pytest.approx(camera.target, abs=1e-8)
    other.set_pose(stance, 1.5)
    assert other.distance == pytest.approx(camera.distance)
    assert isinstance(stance, CameraPose)


def test_session_of_the_first_version_still_opens() -> None:
    session = read_session(FIRST_SESSION)
    assert session.preset.events == (qv.FlipSign(at=2.0),)
    assert session.view_state == ViewState(
        cursor=4.5,
        speed=0.5,
        loop=True,
        selected=(1.0, 6.0),
        lanes=LaneStyles.default_for(2).with_color(1, 5).with_mode(0, "hidden"),
        panels={"energy": False, "cost": True},
        items={"trail": False, "poinsot": True},
        views=ViewLayout(number=2, each=False, linked=False, from_body={1: False, 2: True}),
        cameras={
            1: CameraPose((0.0, 0.0, -0.15), (0.782, -0.485, 0.391), 1.75),
            2: CameraPose((0.0, 0.0, -0.15), (0.0, -1.0, 0.0), 2.5),
        },
        sections=("Lanes", "Body", "Events"),
        layout={
            "blocks": [["euler_parameters"], ["h", "omega"]],
            "fronts": ["omega"],
            "floating": {"drift": [60, 70, 500, 400], "cost": []},
        },  # type: ignore[arg-type]
        reference="Hamilton",
        difference=True,
    )
    again = parse_session(format_session(session))
    assert again == replace(session, preset=replace(session.preset, name="", path=None))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('camera_1 = "0 0', 'camera_1 = "0 x'),
        ('arrangement = """', 'arrangement = """['),
        ('number = "2"', 'number = "3"'),
        ("body = 1\n", "body = 7\n"),
        ("[60, 70, 500", "[60, 1e999, 500"),
        ("[60, 70, 500", "[60, 1e9, 500"),
    ],
)
def test_unreadable_values_of_old_sessions_become_defaults(old: str, new: str) -> None:
    text = FIRST_SESSION.read_text("utf-8")
    assert old in text
    whole, damaged = parse_session(text).view_state, parse_session(text.replace(old, new)).view_state
    assert whole is not None
    assert damaged is not None
    assert damaged != whole
    assert damaged.panels == whole.panels


def test_signals_reach_living_and_interested_listeners() -> None:
    received: list[tuple[int, int]] = []

    class Listener:
        def receive(self, before: int, after: int) -> None:
            received.append((before, after))

    signal, ear = Signal(), Listener()
    signal.connect(ear.receive)
    signal.emit(1, 2)
    assert received == [(1, 2)]
    del ear
    signal.emit(2, 3)
    assert received == [(1, 2)]
    signal.connect(received.clear)
    signal.disconnect(received.clear)
    signal.emit()
    assert received
