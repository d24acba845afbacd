"""Texts of a preset that a window shows have a maximum length."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

import quatviz as qv
from quatviz.display.document.user_files import RecoveryFile, save_last_session, save_own_preset
from quatviz.display.view_state.session import Session, to_short_text
from quatviz.files.preset import MAX_EVENTS, MAX_LOADS, MAX_NAME_LENGTH, MAX_TITLE_LENGTH
from quatviz.files.preset_reading import format_preset, parse_preset
from quatviz.physics.events.base import Event


def test_lane_name_length_is_limited() -> None:
    assert qv.Lane("hamilton", name="a" * MAX_NAME_LENGTH).name
    with pytest.raises(qv.InputError, match=f"at most {MAX_NAME_LENGTH} characters") as caught:
        qv.Lane("hamilton", name="a" * (MAX_NAME_LENGTH + 1))
    assert f"{MAX_NAME_LENGTH + 1} characters" in caught.value.found


def test_title_length_is_limited() -> None:
    preset = qv.load_preset("torque_free")
    longest = replace(preset, title="a" * MAX_TITLE_LENGTH)
    text = format_preset(longest)
    assert parse_preset(text).title == longest.title
    with pytest.raises(qv.InputError, match=f"at most {MAX_TITLE_LENGTH} characters"):
        parse_preset(text.replace(longest.title, longest.title + "a"))


def with_events(count: int, make_event: Callable[..., Event] = qv.FlipSign) -> qv.Preset:
    preset = qv.load_preset("torque_free").with_run(duration=100.0)
    return replace(preset, events=[make_event(at=round(0.01 * (n + 1), 2)) for n in range(count)])


def with_loads(lanes: int, loads: int) -> qv.Preset:
    torques = [qv.Torque(torque=[0.0, 0.0, 1.0])] * loads
    return replace(
        qv.load_preset("torque_free"),
        lanes=[qv.Lane("newton_euler", name=f"lane {number}", loads=torques) for number in range(lanes)],
    )


@pytest.mark.parametrize(
    ("preset", "message"),
    [
        (with_loads(lanes=100, loads=20), "at most 5000 lines"),
        (replace(with_events(0), watch="ω" * 100_000), "at most 200000 bytes"),
    ],
    ids=["many loads", "a long text"],
)
def test_run_that_could_not_be_read_again_is_not_written(
    preset: qv.Preset, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file was written, but could never be opened again."""
    monkeypatch.setenv("QUATVIZ_SETTINGS_DIR", str(tmp_path))
    path, session = tmp_path / "a.toml", Session(preset)
    path.write_text("old")
    writers: list[Callable[[], object]] = [
        lambda: preset.to_toml(path),
        lambda: save_own_preset(preset, "Mine", "", preset.watch),
        lambda: RecoveryFile().write(session),
        lambda: to_short_text(session),
    ]
    for write in writers:
        with pytest.raises(qv.InputError, match=message) as caught:
            write()
        assert caught.value.remedy.startswith("remove events")
    assert not save_last_session(session)
    assert path.read_text() == "old"
    assert preset.to_toml(), "other programs may read it"


def test_largest_run_is_written_and_read_again(tmp_path: Path) -> None:
    preset = with_events(MAX_EVENTS, partial(qv.Kick, impulse=(1.0, 2.0, 3.0)))
    preset.to_toml(tmp_path / "a.toml")
    assert qv.load_preset(str(tmp_path / "a.toml")) == preset


def test_numbers_of_events_and_loads_are_limited() -> None:
    """Many items in short inline tables passed the limits of the text and stopped the window for seconds."""
    text = with_events(0).to_toml()
    events = ", ".join(f'{{kind = "flip", at = {0.01 * (n + 1):.2f}}}' for n in range(MAX_EVENTS + 1))
    with pytest.raises(qv.InputError, match=f"at most {MAX_EVENTS} events") as caught:
        parse_preset(f"events = [{events}]\n{text}")
    assert (caught.value.key, caught.value.found) == ("events", f"{MAX_EVENTS + 1}")
    loads = [qv.Torque(torque=[0.0, 0.0, 1.0])] * (MAX_LOADS + 1)
    for make in (partial(replace, with_events(0)), partial(qv.Lane, "hamilton")):
        assert make(loads=loads[1:]).loads
        with pytest.raises(qv.InputError, match=f"at most {MAX_LOADS} loads"):
            make(loads=loads)


def test_file_name_length_is_limited() -> None:
    assert 255 + len(" (200)") <= MAX_NAME_LENGTH
