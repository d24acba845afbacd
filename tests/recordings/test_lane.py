"""A recording as a lane, from a script or a preset: beside other lanes, with events, gaps, an end, a missing file."""

import csv
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import quatviz as qv
from quatviz.commands import run as run_command
from quatviz.display.document.user_files import RecoveryFile, move_files_to, read_saved_session
from quatviz.display.view_state.session import Session
from quatviz.files.preset_reading import parse_preset
from quatviz.physics.mechanics.rotations import conjugate, multiply

BEHIND = 5.0
"""Seconds on the clock of the file when the run begins."""


@pytest.fixture(scope="module")
def motion() -> qv.Solution:
    preset = qv.load_preset("torque_free")
    return qv.simulate(preset, lanes=["exact"], duration=4.0)["exact"]


def write(path: Path, names: str, *columns: np.ndarray) -> None:
    with path.open("w", newline="") as file:
        out = csv.writer(file)
        out.writerow(names.split(","))
        out.writerows(np.column_stack(columns).tolist())


@pytest.fixture
def preset(motion: qv.Solution, tmp_path: Path) -> qv.Preset:
    """The torque-free body and a table of its motion."""
    write(tmp_path / "throw.csv", "t,qw,qx,qy,qz,wx,wy,wz", motion.t + BEHIND, motion.p, motion.omega)
    text = qv.load_preset("torque_free").with_run(lanes=["newton_euler"], duration=3.0).to_toml()
    (tmp_path / "thrown.toml").write_text(
        f'{text}\n[[lanes]]\nname = "phone"\nrecording = "throw.csv"\n', "utf-8"
    )
    return qv.load_preset(tmp_path / "thrown.toml")


def test_preset_refers_to_a_file_next_to_it(preset: qv.Preset) -> None:
    run = qv.simulate(preset, lanes=["exact", preset.lanes[1]])
    phone, exact = run["phone"], run["exact"]
    assert (phone.status, len(phone)) == ("ok", len(exact))
    assert run.orientation_error("phone", "exact").max() < 1e-14
    np.testing.assert_allclose(phone.p, exact.p, rtol=0, atol=1e-14)
    np.testing.assert_array_equal(phone.omega, exact.omega)
    assert np.isnan(phone.lam).all()
    np.testing.assert_allclose(phone.h, exact.h, rtol=1e-12)


def test_recording_lane_round_trips_through_text(preset: qv.Preset, tmp_path: Path) -> None:
    text = preset.to_toml()
    assert text.endswith('[[lanes]]\nname = "phone"\nrecording = "throw.csv"\n')
    assert parse_preset(text, folder=tmp_path) == preset
    reading = qv.ReadOptions(
        file="throw.csv", order="scalar_last", rate_columns=["a", "b", "c"], start_attitude=[1, 0, 0, 0]
    )
    full = preset.with_run(lanes=[qv.Lane("recording", recording=reading)])
    again = parse_preset(full.to_toml(), folder=tmp_path)
    assert again == full
    assert again.lanes[0].recording.folder == tmp_path
    assert "[lanes.recording]" in full.to_toml()


@pytest.mark.parametrize(
    "name", ["../throw.csv", "/tmp/throw.csv", "C:throw.csv", "a/../../throw.csv", "\\\\host\\throw.csv"]
)
def test_paths_outside_the_preset_folder_are_refused(preset: qv.Preset, name: str) -> None:
    text = preset.to_toml().replace('"throw.csv"', f"'{name}'")
    with pytest.raises(qv.InputError) as refusal:
        parse_preset(text)
    assert refusal.value.key == "lanes[1].recording.file"
    assert "beside the preset" in refusal.value.expected


def test_link_outside_the_folder_is_not_followed(preset: qv.Preset, tmp_path: Path) -> None:
    inside = tmp_path / "inside"
    inside.mkdir()
    (inside / "throw.csv").symlink_to(tmp_path / "throw.csv")
    lane = preset.lanes[1]
    run = qv.simulate(
        preset, lanes=[qv.Lane("recording", recording=lane.recording.in_folder(inside), name="phone")]
    )
    assert run["phone"].status == "no_recording"
    assert "a link to a file outside" in run["phone"].message


@pytest.mark.parametrize(
    ("text", "key", "message"),
    [
        ('recording = 3', "lanes[1].recording", "3"),
        ('recording = ""', "lanes[1].recording.file", "''"),
        ('formulation = "hamilton"\nrecording = "throw.csv"', "lanes[1].recording", "throw.csv"),
        ('formulation = "recording"', "lanes[1].recording", "no such key"),
        ('recording = { file = "throw.csv", order = "first" }', "lanes[1].recording.order", "'first'"),
        ('recording = { file = "throw.csv", colour = 1 }', "lanes[1].recording.colour", "'colour'"),
        ('recording = { order = "scalar_first" }', "lanes[1].recording.file", "no such key"),
        ('recording = { file = "throw.csv", start_attitude = [0, 0, 0, 0] }', "lanes[1].recording.start_attitude", "0"),
        ('recording = { file = "throw.csv", rate_columns = [1, 2] }', "lanes[1].recording.rate_columns", "[1, 2]"),
        ('recording = "throw.csv"\ndt = 0.1', "lanes[1].dt", "0.1"),
    ],
)  # fmt: skip
def test_invalid_values_are_refused_with_their_line(
    preset: qv.Preset, tmp_path: Path, text: str, key: str, message: str
) -> None:
    whole = preset.to_toml().replace('recording = "throw.csv"', text)
    with pytest.raises(qv.InputError) as refusal:
        qv.simulate(parse_preset(whole, folder=tmp_path))
    assert refusal.value.key == key
    assert message in refusal.value.found


def test_skipped_rows_are_reported_by_the_lane(motion: qv.Solution) -> None:
    p = motion.p.copy()
    p[7] = 0.0
    lane = qv.Lane("recording", recording=qv.Recording(motion.t, p=p), name="phone")
    run = qv.simulate(qv.load_preset("torque_free"), lanes=[lane], duration=1.0)
    remarks = run["phone"].engine.diagnostics.remarks
    assert remarks[0] == "1 quaternion of length 0 is a gap"
    assert "rates computed from attitudes" in remarks[1]


def test_missing_file_ends_the_lane_until_restored(preset: qv.Preset, tmp_path: Path) -> None:
    (tmp_path / "throw.csv").rename(tmp_path / "away.csv")
    run = qv.simulate(preset)
    phone = run["phone"]
    assert (phone.status, len(phone), run["newton_euler"].status) == ("no_recording", 1, "ok")
    assert "throw.csv" in phone.message
    assert "No such file" in phone.message
    (tmp_path / "away.csv").rename(tmp_path / "throw.csv")
    assert qv.simulate(preset)["phone"].status == "ok"


def test_unreadable_files_and_missing_columns_end_the_lane_with_a_message(
    preset: qv.Preset, tmp_path: Path
) -> None:
    (tmp_path / "throw.csv").write_text("no table\n")
    phone = qv.simulate(preset)["phone"]
    assert (phone.status, "columns of numbers" in phone.message) == ("no_recording", True)
    (tmp_path / "throw.csv").write_text("t,price\n0,1\n1,2\n")
    phone = qv.simulate(preset)["phone"]
    assert (phone.status, "an attitude or an angular velocity" in phone.message) == ("no_recording", True)


def test_preset_without_file_has_no_recordings(preset: qv.Preset) -> None:
    phone = qv.simulate(parse_preset(preset.to_toml()))["phone"]
    assert (phone.status, "was not saved to a file" in phone.message) == ("no_recording", True)


def test_lane_ends_with_its_recording(motion: qv.Solution) -> None:
    recording = qv.Recording(motion.t[:101], p=motion.p[:101], omega=motion.omega[:101])
    lane = qv.Lane("recording", recording=recording, name="short")
    run = qv.simulate(qv.load_preset("torque_free"), lanes=["exact", lane], duration=2.0)
    short = run["short"]
    assert (short.status, short.ended_at, len(short)) == ("recording_ended", 1.0, 101)
    assert short.message == "short ends at t = 1 s, the last time of the recording"


def test_gaps_are_nan_and_drifts_start_at_known_rows(motion: qv.Solution) -> None:
    kept = (motion.t > 0.505) & ~((motion.t > 1.0) & (motion.t < 1.2))
    recording = qv.Recording(motion.t[kept], p=motion.p[kept], omega=motion.omega[kept])
    lane = qv.Lane("recording", recording=recording, name="torn")
    run = qv.simulate(qv.load_preset("torque_free"), lanes=["exact", lane], duration=2.0)
    torn = run["torn"]
    known = np.isfinite(torn.p).all(axis=1)
    np.testing.assert_array_equal(known, kept[:201])
    assert np.nanmax(np.abs(torn.energy_drift)) < 1e-12
    assert np.isnan(torn.energy_drift[0])
    assert np.nanmax(run.orientation_error("torn", "exact")) < 1e-14


def test_run_that_starts_in_a_gap_can_be_exported(
    motion: qv.Solution, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The only lane starts in a gap, so drifts are relative to its first known row."""
    kept = (motion.t > 0.505) & ~((motion.t > 1.0) & (motion.t < 1.2))
    qv.write_recording(
        qv.Recording(motion.t[kept], p=motion.p[kept], omega=motion.omega[kept]), tmp_path / "a.csv"
    )
    reading = qv.ReadOptions(file="a.csv", start=0.0).in_folder(tmp_path)
    preset = qv.load_preset("torque_free").with_run(
        lanes=[qv.Lane("recording", recording=reading)], duration=2.0
    )
    run = qv.simulate(preset)
    assert np.isnan(run["recording"].p[0]).all()
    run.view().save(tmp_path / "page.html")
    assert (tmp_path / "page.html").stat().st_size > 10_000
    run.plot(["p", "omega", "energy_drift"]).save(tmp_path / "figure.svg")
    assert (tmp_path / "figure.svg").stat().st_size > 10_000
    figure = (tmp_path / "figure.svg").read_text("utf-8")
    assert "a recording" in figure, "what computed it is none of it"
    assert "rk4" not in figure
    assert "exact solution" not in figure
    (tmp_path / "a.toml").write_text(preset.to_toml())
    assert run_command.main([str(tmp_path / "a.toml")]) == 0
    row = next(line for line in capsys.readouterr().out.splitlines() if line.startswith("recording"))
    assert row.split()[4] != "nan"


def test_recording_ignores_events_with_a_remark(motion: qv.Solution) -> None:
    kick = qv.Kick(at=0.5, impulse=[0, 0, 50.0])
    preset = qv.load_preset("torque_free")
    recording = qv.Recording(motion.t, p=motion.p, omega=motion.omega)
    lanes: list[Any] = ["exact", qv.Lane("recording", recording=recording, name="phone")]
    run = qv.simulate(
        qv.Preset(body=preset.body, initial=preset.initial, events=[kick], lanes=lanes), duration=1.0
    )
    np.testing.assert_array_equal(run["phone"].omega, motion.omega[:101])
    assert np.abs(run["exact"].omega[-1] - motion.omega[100]).max() > 0.1
    remarks = run["phone"].engine.diagnostics.remarks
    assert sum("events do not affect a recording" in remark for remark in remarks) == 1


def test_changed_body_changes_momentum_but_not_motion(motion: qv.Solution) -> None:
    preset = qv.load_preset("torque_free")
    change = qv.ChangeModel(at=0.5, body=qv.Body(inertia=[4.0, 3.0, 2.0]))
    lane = qv.Lane(
        "recording", recording=qv.Recording(motion.t, p=motion.p, omega=motion.omega), name="phone"
    )
    run = qv.simulate(
        qv.Preset(body=preset.body, initial=preset.initial, events=[change], lanes=[lane]), duration=1.0
    )
    np.testing.assert_array_equal(run["phone"].omega, motion.omega[:101])
    np.testing.assert_allclose(run["phone"].h[50:], motion.omega[50:101] * [4.0, 3.0, 2.0], rtol=1e-12)


def test_recording_is_not_exact_and_keeps_its_sign(motion: qv.Solution) -> None:
    recording = qv.Recording(motion.t, p=-motion.p, omega=motion.omega)
    lane = qv.Lane("recording", recording=recording, name="phone")
    run = qv.simulate(qv.load_preset("torque_free"), lanes=["exact", lane], duration=1.0)
    np.testing.assert_allclose(run["phone"].p, run["exact"].p, atol=1e-14)


def test_run_with_a_recording_round_trips(preset: qv.Preset, motion: qv.Solution, tmp_path: Path) -> None:
    run = pickle.loads(pickle.dumps(qv.simulate(preset, duration=1.0)))
    for ending in ("csv", "npz", "parquet"):
        run.write(tmp_path / f"run.{ending}")
        again = qv.load_run(tmp_path / f"run.{ending}")
        np.testing.assert_array_equal(again["phone"].p, run["phone"].p)
        assert again.preset.lanes[1].recording.file == "throw.csv"
    lane = qv.Lane("recording", recording=qv.Recording(motion.t, p=motion.p), name="phone")
    arrays = qv.simulate(preset, lanes=["newton_euler", lane], duration=1.0)
    with pytest.raises(qv.InputError, match="a recording created by a script"):
        arrays.preset.to_toml()
    arrays.write(tmp_path / "arrays.npz")
    np.testing.assert_array_equal(qv.load_run(tmp_path / "arrays.npz")["phone"].p, arrays["phone"].p)


def conventions() -> list[dict[str, Any]]:
    two = [
        ("order", "scalar_first", "scalar_last"),
        ("direction", "body_to_space", "space_to_body"),
        ("product", "hamilton", "jpl"),
    ]
    options = [{key: value} for key, *values in two for value in values]
    return [*options, {"rate_axes": "space"}, {"rate_unit": "deg/s"}, {"time_unit": "ms"}]


@pytest.mark.parametrize("options", conventions())
def test_conventions_are_converted(motion: qv.Solution, tmp_path: Path, options: dict[str, Any]) -> None:
    """A file in another convention gives the same motion."""
    p, omega, t = motion.p, motion.omega, motion.t
    if options.get("rate_axes") == "space":
        omega = motion.omega_space
    if options.get("rate_unit") == "deg/s":
        omega = np.degrees(omega)
    if options.get("time_unit") == "ms":
        t = 1000.0 * t
    if options.get("direction") == "space_to_body" or options.get("product") == "jpl":
        p = conjugate(p)
    if options.get("order") == "scalar_last":
        p = np.roll(p, -1, axis=1)
    write(tmp_path / "a.csv", "clock,a,b,c,d,e,f,g", t, p, omega)
    reading = qv.ReadOptions(
        file="a.csv",
        time="clock",
        attitude="quaternion",
        attitude_columns="a, b, c, d",
        rate_columns="e, f, g",
        **options,
    ).in_folder(tmp_path)
    lane = qv.Lane("recording", recording=reading, name="phone")
    run = qv.simulate(qv.load_preset("torque_free"), lanes=["exact", lane], duration=1.0)
    assert run.orientation_error("phone", "exact").max() < 1e-13
    assert np.abs(run["phone"].omega - run["exact"].omega).max() < 1e-13


def test_matrices_angles_and_rotation_vectors_are_attitudes(motion: qv.Solution, tmp_path: Path) -> None:
    given: dict[str, Any] = {
        "matrix": (qv.rotations.orientation_matrix(motion.p).reshape(-1, 9), {}),
        "angles": (motion.angles_213, {"sequence": "213", "angle_unit": "deg"}),
        "rotation_vector": (qv.rotations.to_rotation_vector(motion.p), {}),
    }
    for attitude, (values, options) in given.items():
        names = [f"v{number}" for number in range(values.shape[1])]
        write(tmp_path / f"{attitude}.csv", ",".join(["t", *names]), motion.t, values)
        reading = qv.ReadOptions(
            file=f"{attitude}.csv", attitude=attitude, attitude_columns=names, **options
        ).in_folder(tmp_path)
        lane = qv.Lane("recording", recording=reading, name="phone")
        run = qv.simulate(qv.load_preset("torque_free"), lanes=["exact", lane], duration=1.0)
        assert run.orientation_error("phone", "exact").max() < 1e-13
        assert np.abs(run["phone"].omega - run["exact"].omega).max() < 1e-6, "differentiated"


def test_rotations_of_space_and_body_apply_to_the_file(motion: qv.Solution, tmp_path: Path) -> None:
    space, body = qv.rotations.from_rotation_vector([[0.3, -0.2, 0.5], [1.0, 0.4, -0.7]])
    p = multiply(multiply(conjugate(space), motion.p), conjugate(body))
    omega = qv.rotations.rotate(body, motion.omega)
    write(tmp_path / "a.csv", "t,qw,qx,qy,qz,wx,wy,wz", motion.t, p, omega)
    reading = qv.ReadOptions(file="a.csv", turn_space=space, turn_body=body).in_folder(tmp_path)
    lane = qv.Lane("recording", recording=reading, name="phone")
    run = qv.simulate(qv.load_preset("torque_free"), lanes=["exact", lane], duration=1.0)
    assert run.orientation_error("phone", "exact").max() < 1e-13
    np.testing.assert_allclose(run["phone"].omega, run["exact"].omega, atol=1e-13)


def test_selected_segment_starts_at_zero(motion: qv.Solution, preset: qv.Preset) -> None:
    reading = qv.ReadOptions(file="throw.csv", start=BEHIND + 0.5, stop=BEHIND + 1.5).in_folder(
        preset.lanes[1].recording.folder
    )
    run = qv.simulate(preset, lanes=[qv.Lane("recording", recording=reading, name="phone")])
    phone = run["phone"]
    assert (phone.status, phone.ended_at) == ("recording_ended", 1.0)
    np.testing.assert_allclose(phone.omega, motion.omega[50:151], atol=1e-9)


@pytest.mark.parametrize("offset", [0.75, -0.25])
def test_segment_start_follows_its_offset(motion: qv.Solution, preset: qv.Preset, offset: float) -> None:
    reading = qv.ReadOptions(file="throw.csv", start=BEHIND + 0.5, stop=BEHIND + 1.5, offset=offset)
    lane = qv.Lane("recording", recording=reading.in_folder(preset.lanes[1].recording.folder), name="phone")
    imported = preset.with_run(lanes=[lane])
    assert parse_preset(imported.to_toml(), folder=reading.folder) == imported
    phone = qv.simulate(imported)["phone"]
    known = np.isfinite(phone.p).all(axis=1)
    assert phone.t[known][0] == max(offset, 0.0), "nothing is known before"
    assert phone.ended_at == 1.0 + offset
    first = round(100 * (0.5 - min(offset, 0.0)))
    np.testing.assert_allclose(phone.omega[known], motion.omega[first:151], atol=1e-9)


def test_rotation_of_space_applies_to_integrated_attitudes(motion: qv.Solution, tmp_path: Path) -> None:
    write(tmp_path / "a.csv", "t,wx,wy,wz", motion.t, motion.omega)
    turn = [0.5, -0.5, 0.5, 0.5]
    turned_or_not: dict[str, dict[str, Any]] = {"plain": {}, "turned": {"turn_space": turn}}
    lanes = [
        qv.Lane("recording", recording=qv.ReadOptions(file="a.csv", **options).in_folder(tmp_path), name=name)
        for name, options in turned_or_not.items()
    ]
    run = qv.simulate(qv.load_preset("torque_free"), lanes=lanes, duration=1.0)
    turned = multiply(np.array(turn), run["plain"].p)
    np.testing.assert_allclose(np.abs(np.sum(turned * run["turned"].p, axis=1)), 1.0, atol=1e-12)


def test_recording_is_copied_with_its_preset(preset: qv.Preset, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    preset.copy_files(other)
    assert (other / "throw.csv").read_bytes() == (tmp_path / "throw.csv").read_bytes()
    preset.copy_files(other)
    assert qv.simulate(preset.with_folder(other))["phone"].status == "ok"
    (other / "throw.csv").write_text("another")
    with pytest.raises(qv.InputError, match="or no file of that name"):
        preset.copy_files(other)
    preset.copy_files(other, overwrite=True)
    assert (other / "throw.csv").read_bytes() == (tmp_path / "throw.csv").read_bytes()
    assert preset.with_folder(None).lanes[1].recording.folder is None
    (tmp_path / "throw.csv").unlink()
    preset.copy_files(tmp_path / "third")
    assert not (tmp_path / "third").exists(), "what is not there is not brought"


def test_recovery_data_of_a_session_contains_its_recording(
    preset: qv.Preset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUATVIZ_SETTINGS_DIR", str(tmp_path / "settings"))
    kept = RecoveryFile()
    kept.lock()
    kept.write(Session(preset))
    (tmp_path / "throw.csv").unlink()
    session = read_saved_session(kept.path)
    assert qv.simulate(session.preset, duration=1.0)["phone"].status == "ok"
    (tmp_path / "again").mkdir()
    assert (
        qv.simulate(move_files_to(session, tmp_path / "again").preset, duration=1.0)["phone"].status == "ok"
    )
    kept.remove()
