"""Import: proposed options, the preset that it writes, and conversion of a recording to other conventions."""

import importlib
from pathlib import Path

import numpy as np
import pytest

import quatviz as qv
from quatviz.physics.mechanics.rotations import relative_angle
from quatviz.recordings.importing import preset_for_recording, propose_import, relative_to_folder
from quatviz.recordings.loading import load

COMMAND = importlib.import_module("quatviz.commands.import")


@pytest.fixture(scope="module")
def recording() -> qv.Recording:
    lane = qv.simulate(qv.load_preset("torque_free"), lanes=["exact"], duration=3.0)["exact"]
    return qv.Recording(lane.t, p=lane.p, omega=lane.omega)


CONVENTIONS = [
    {},
    {"order": "scalar_last", "rate_unit": "deg/s"},
    {"direction": "space_to_body", "rate_axes": "space"},
    {"product": "jpl", "order": "scalar_last"},
    {"attitude": "matrix", "direction": "space_to_body"},
    {"attitude": "angles", "sequence": "213", "angle_unit": "deg", "axes": "extrinsic"},
    {"attitude": "angles", "sequence": "123", "rate_axes": "angles"},
    {"attitude": "rotation_vector", "rate_axes": "space", "rate_unit": "deg/s"},
]


@pytest.mark.parametrize("options", CONVENTIONS, ids=lambda options: "-".join(options.values()) or "usual")
def test_files_written_in_a_convention_are_read_back_by_column_names(
    recording: qv.Recording, tmp_path: Path, options: dict[str, str]
) -> None:
    qv.write_recording(recording, tmp_path / "a.csv", **options)
    again = load(qv.ReadOptions(file="a.csv", **options).in_folder(tmp_path)).recording  # type: ignore[arg-type]
    assert relative_angle(again.p, recording.p).max() < 1e-13
    np.testing.assert_allclose(again.omega, recording.omega, atol=1e-12)
    np.testing.assert_array_equal(again.t, recording.t)


@pytest.mark.parametrize(
    "options", CONVENTIONS[:6], ids=lambda options: "-".join(options.values()) or "usual"
)
def test_files_written_in_a_convention_are_read_back_by_detection(
    recording: qv.Recording, tmp_path: Path, options: dict[str, str]
) -> None:
    """The convention is not stated; it follows from attitude and rates."""
    qv.write_recording(recording, tmp_path / "a.csv", **options)
    again = qv.load_recording(tmp_path / "a.csv")
    assert relative_angle(again.p, recording.p).max() < 1e-13
    np.testing.assert_allclose(again.omega, recording.omega, atol=1e-12)


def test_undetermined_options_follow_the_users_choices(recording: qv.Recording, tmp_path: Path) -> None:
    """JPL's quaternion of one direction has the same numbers as Hamilton's of the other."""
    qv.write_recording(recording, tmp_path / "a.csv", product="jpl", order="scalar_last")
    for options in (
        {"product": "jpl"},
        {"product": "hamilton"},
        {"direction": "body_to_space"},
        {"direction": "space_to_body"},
    ):
        read = qv.load_recording(tmp_path / "a.csv", **options)
        assert relative_angle(read.p, recording.p).max() < 1e-12, options


def test_detection_does_not_override_the_user(recording: qv.Recording, tmp_path: Path) -> None:
    qv.write_recording(recording, tmp_path / "a.csv", rate_unit="deg/s")
    proposal = propose_import(qv.ReadOptions(file="a.csv", rate_unit="rad/s").in_folder(tmp_path))
    assert proposal.loaded.options.rate_unit == "rad/s"
    assert proposal.ranking is not None
    assert proposal.ranking.best.convention.rate_unit == "deg/s", "but it is told"


def test_message_has_one_segment_per_continuous_part(recording: qv.Recording, tmp_path: Path) -> None:
    kept = (recording.t < 1.0) | (recording.t > 1.5)
    torn = qv.Recording(recording.t[kept], p=recording.p[kept], omega=recording.omega[kept])
    qv.write_recording(torn, tmp_path / "a.aem", epoch="2026-11-25T13:20:00", name="PHONE")
    text = (tmp_path / "a.aem").read_text()
    assert (text.count("META_START"), text.count("OBJECT_NAME = PHONE")) == (2, 2)
    assert "START_TIME = 2026-11-25T13:20:01.510000000" in text
    again = qv.load_recording(tmp_path / "a.aem")
    known = again.is_known
    np.testing.assert_allclose(again.t[known], torn.t, atol=1e-9)
    assert relative_angle(again.p[known], torn.p).max() < 1e-14
    np.testing.assert_allclose(again.omega[known], torn.omega, atol=1e-13)
    assert len(again.gaps) == 1


def test_files_that_cannot_be_written_are_refused(recording: qv.Recording, tmp_path: Path) -> None:
    rates = qv.Recording(recording.t, omega=recording.omega)
    with pytest.raises(qv.InputError, match="a recording with attitudes"):
        qv.write_recording(rates, tmp_path / "a.aem")
    with pytest.raises(qv.InputError, match="a date and time"):
        qv.write_recording(recording, tmp_path / "a.aem", epoch="yesterday")
    with pytest.raises(qv.InputError, match=r"a name ending in \.csv or \.aem"):
        qv.write_recording(recording, tmp_path / "a.xlsx")
    with pytest.raises(qv.InputError, match="scalar_first, scalar_last"):
        qv.write_recording(recording, tmp_path / "a.csv", order="first")
    with pytest.raises(qv.InputError, match="rate_axes"):
        qv.write_recording(recording, tmp_path / "a.csv", color="red")
    assert list(tmp_path.iterdir()) == [], "nothing half written"


def test_written_preset_runs_with_the_recording(recording: qv.Recording, tmp_path: Path) -> None:
    qv.write_recording(recording, tmp_path / "throw.csv", order="scalar_last")
    loaded = propose_import(qv.ReadOptions(file="throw.csv").in_folder(tmp_path)).loaded
    body = qv.load_preset("torque_free").body
    preset_for_recording(loaded, tmp_path, body).to_toml(tmp_path / "throw.toml")
    preset = qv.load_preset(tmp_path / "throw.toml")
    assert (preset.run.duration, preset.run.sample_interval) == (3.0, 0.01)
    run = qv.simulate(preset)
    assert [lane.status for lane in run.lanes] == ["ok", "ok"]
    assert run.orientation_error("throw", "newton_euler").max() < 1e-6, "it is that body's motion"
    with pytest.raises(qv.InputError, match="the folder of the recording, or one above it"):
        preset_for_recording(loaded, tmp_path.parent / "elsewhere")
    assert (
        preset_for_recording(loaded, tmp_path.parent).lanes[1].recording.file == f"{tmp_path.name}/throw.csv"
    )


def test_circular_links_are_refused(recording: qv.Recording, tmp_path: Path) -> None:
    for first, second in (("a.csv", "b.csv"), ("b.csv", "a.csv"), ("here", "there"), ("there", "here")):
        (tmp_path / first).symlink_to(second)
    reading = qv.ReadOptions(file="a.csv").in_folder(tmp_path)
    with pytest.raises(qv.InputError, match="a recording that can be read"):
        load(reading)
    assert relative_to_folder(reading, tmp_path).file == "a.csv"
    with pytest.raises(qv.InputError, match="the folder of the recording"):
        relative_to_folder(reading, tmp_path / "here")
    with pytest.raises(qv.InputError, match="a recording that can be read"):
        COMMAND.main([str(tmp_path / "here" / "a.csv")])


@pytest.mark.parametrize(
    ("step", "interval"), [(0.01, 0.01), (0.00503, 0.005), (0.0166667, 0.01), (1.0, 1.0), (0.003, 0.0025)]
)
def test_sample_interval_of_the_run_is_rounded(tmp_path: Path, step: float, interval: float) -> None:
    t = step * np.arange(40)
    qv.write_recording(qv.Recording(t, omega=np.tile([0.0, 0.0, 0.3], (40, 1))), tmp_path / "a.csv")
    run = preset_for_recording(load(qv.ReadOptions(file="a.csv").in_folder(tmp_path)), tmp_path).run
    assert run.sample_interval == interval
    assert t[-1] - interval < run.duration <= t[-1] + 1e-9


def test_import_command_prints_and_writes(
    recording: qv.Recording, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    qv.write_recording(recording, tmp_path / "throw.csv", order="scalar_last", rate_unit="deg/s")
    assert COMMAND.main([str(tmp_path / "throw.csv"), "-n"]) == 0
    output = capsys.readouterr().out
    assert "301 samples, 3 s, 100 Hz, 0 gaps" in output
    assert "qw, qx, qy, qz" in output
    assert "residual" in output
    assert not (tmp_path / "throw.toml").exists()
    assert COMMAND.main([str(tmp_path / "throw.csv")]) == 0
    assert "written to" in capsys.readouterr().out
    assert qv.load_preset(tmp_path / "throw.toml").lanes[1].recording.rate_unit == "deg/s"
    before = (tmp_path / "throw.toml").read_bytes()
    assert COMMAND.main([str(tmp_path / "throw.csv"), "--start", "1"]) == 0
    assert "exists: choose another file" in capsys.readouterr().out
    assert (tmp_path / "throw.toml").read_bytes() == before
    arguments = [
        "--start",
        "1",
        "--rate-columns",
        "omega_x [deg/s], omega_y [deg/s], omega_z [deg/s]",
        "--body",
        "torque_free",
    ]
    assert COMMAND.main([str(tmp_path / "throw.csv"), *arguments, "-o", str(tmp_path / "b.toml")]) == 0
    assert "with the inertia of torque_free: the body conserves |h|" in capsys.readouterr().out
    preset = qv.load_preset(tmp_path / "b.toml")
    assert (preset.lanes[1].recording.start, preset.run.duration) == (1.0, 2.0)
    assert preset.body == qv.load_preset("torque_free").body


def test_import_command_converts_a_recording(
    recording: qv.Recording, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    qv.write_recording(qv.Recording(recording.t, p=recording.p), tmp_path / "a.csv")
    assert COMMAND.main([str(tmp_path / "a.csv"), "-o", str(tmp_path / "a.aem")]) == 0
    assert "QUATERNION/ANGVEL" in (tmp_path / "a.aem").read_text(), "with the rates that follow"
    arguments = ["--to", "attitude=angles", "--to", "sequence=213", "--to", "angle_unit = deg"]
    assert COMMAND.main([str(tmp_path / "a.aem"), "-o", str(tmp_path / "b.csv"), *arguments]) == 0
    assert (tmp_path / "b.csv").read_text().startswith("t [s],angles_213_1 [deg],")
    again = load(qv.ReadOptions(file="b.csv").in_folder(tmp_path)).recording
    assert relative_angle(again.p, recording.p).max() < 1e-13
    for arguments in (["--to", "order"], ["--to", "order=middle"], ["-o", "b.xlsx"]):
        with pytest.raises(qv.InputError):
            COMMAND.main([str(tmp_path / "a.csv"), *arguments])
    capsys.readouterr()
