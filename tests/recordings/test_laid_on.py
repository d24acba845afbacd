"""Alignment and free flight of a recording are stored in its read options and apply when it is read again."""

import importlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import quatviz as qv
from quatviz.physics.mechanics.rotations import (
    conjugate,
    from_rotation_vector,
    multiply,
    relative_angle,
    rotate,
)
from quatviz.recordings.importing import align_recording, file_time_shift, free_flight, propose_import
from quatviz.recordings.loading import load

COMMAND = importlib.import_module("quatviz.commands.import")
SPACE, BODY = from_rotation_vector([[0.4, -1.0, 0.3], [0.9, 0.2, -0.5]])
LATE = 1.25


def tumbling() -> qv.Preset:
    """A decaying torque, so that no speed occurs twice."""
    preset = qv.load_preset("torque_free")
    return replace(preset, loads=[qv.Torque(torque=["40*exp(-t/3)", 15.0, 0.0])])


@pytest.fixture(scope="module")
def motion() -> qv.Solution:
    return qv.simulate(tumbling(), lanes=["newton_euler"], duration=8.0)["newton_euler"]


def write(folder: Path, motion: qv.Solution, rates_alone: bool = False) -> qv.ReadOptions:
    """The middle part of a motion, in a file with another clock and other axes."""
    kept = slice(200, 700)
    p = None if rates_alone else multiply(multiply(conjugate(SPACE), motion.p[kept]), conjugate(BODY))
    omega = rotate(BODY, motion.omega[kept])
    qv.write_recording(qv.Recording(motion.t[kept] + 30.0, p=p, omega=omega), folder / "a.csv")
    return qv.ReadOptions(file="a.csv", start=32.0 + LATE, stop=36.0).in_folder(folder)


@pytest.mark.parametrize("rates_alone", [False, True])
def test_clock_and_rotations_are_found_and_stored(
    motion: qv.Solution, tmp_path: Path, rates_alone: bool
) -> None:
    loaded = load(write(tmp_path, motion, rates_alone))
    if rates_alone:
        start = from_rotation_vector([2.0, 0.0, 1.0])
        loaded = load(replace(loaded.options, start_attitude=start).in_folder(tmp_path))
    laid = align_recording(loaded, motion.t, motion.p, motion.omega, side="both")
    assert laid.offset is not None
    assert laid.turns is not None
    assert laid.options.offset == pytest.approx(2.0 + LATE, abs=1e-4)
    assert laid.turns.residual < 2e-3
    assert "clocks differ" in laid.sentence
    assert "residual" in laid.sentence
    lane = qv.Lane("recording", recording=laid.options, name="phone")
    preset = replace(tumbling(), lanes=[lane])
    preset.to_toml(tmp_path / "said.toml")
    again = qv.load_preset(tmp_path / "said.toml")
    assert again.lanes[0].recording == laid.options
    phone = qv.simulate(again, duration=8.0)["phone"]
    known = np.isfinite(phone.p).all(axis=1)
    assert (phone.t[known][0], phone.t[known][-1]) == pytest.approx((2.0 + LATE, 6.0), abs=0.011)
    rows = np.flatnonzero(known)
    assert relative_angle(phone.p[known], motion.p[rows]).max() < 5e-3
    assert np.abs(phone.omega[known] - motion.omega[rows]).max() < 5e-3


def test_new_rotations_are_composed_with_stored_ones(motion: qv.Solution, tmp_path: Path) -> None:
    reading = replace(
        write(tmp_path, motion),
        offset=2.0 + LATE,
        turn_space=from_rotation_vector([0.0, 0.3, 0.0]),
        turn_body=from_rotation_vector([0.1, 0.0, 0.0]),
    ).in_folder(tmp_path)
    laid = align_recording(load(reading), motion.t, motion.p, motion.omega, align_clock=False, side="both")
    assert laid.offset is None
    assert laid.options.offset == 2.0 + LATE
    assert relative_angle(np.array(laid.options.turn_space), SPACE) < 1e-7
    assert relative_angle(np.array(laid.options.turn_body), BODY) < 1e-7
    alone = align_recording(
        load(reading), motion.t, motion.p, motion.omega, align_clock=False, side="space"
    ).options
    assert alone.turn_body == reading.turn_body


def test_recordings_without_common_times_are_refused(motion: qv.Solution, tmp_path: Path) -> None:
    loaded = load(replace(write(tmp_path, motion), offset=100.0).in_folder(tmp_path))
    with pytest.raises(qv.InputError, match="align the clocks first"):
        align_recording(loaded, motion.t, motion.p, motion.omega, align_clock=False, side="space")


def throw(folder: Path, motion: qv.Solution, felt: bool) -> qv.ReadOptions:
    """A phone that is held, flies from 13.5 s to 14.5 s, and is held again, with its acceleration."""
    t = np.arange(0.0, 3.0, 0.01)
    flies = (t >= 1.0) & (t <= 2.0)
    rows = np.column_stack([t + 12.5, motion.omega[: len(t)] * np.where(flies, 1.0, 1.7 + t)[:, None]])
    if felt:
        rows = np.column_stack([rows, np.where(flies[:, None], 0.2, [0.0, 1.0, 9.7])])
    names = "t,gyr_x,gyr_y,gyr_z" + (",acc_x,acc_y,acc_z" if felt else "")
    np.savetxt(folder / "b.csv", rows, delimiter=",", header=names, comments="")
    return qv.ReadOptions(file="b.csv", start=13.0).in_folder(folder)


def test_free_flight_is_found_by_acceleration_or_h(tmp_path: Path) -> None:
    free = qv.simulate(qv.load_preset("torque_free"), lanes=["exact"], duration=3.0)["exact"]
    loaded = load(throw(tmp_path, free, felt=True))
    flight = free_flight(loaded)
    assert flight is not None
    assert (flight.start, flight.stop) == pytest.approx((13.51, 14.49), abs=0.011)
    assert file_time_shift(loaded) == 13.0
    loaded = load(throw(tmp_path, free, felt=False))
    assert free_flight(loaded) is None, "nobody knows the body"
    flight = free_flight(loaded, qv.load_preset("torque_free").body.inertia)
    assert flight is not None
    assert (flight.start, flight.stop) == pytest.approx((13.5, 14.5), abs=0.05)


def test_entirely_free_recording_gives_no_segment(tmp_path: Path, motion: qv.Solution) -> None:
    free = qv.simulate(qv.load_preset("torque_free"), lanes=["exact"], duration=3.0)["exact"]
    qv.write_recording(qv.Recording(free.t, omega=free.omega), tmp_path / "a.csv")
    loaded = load(qv.ReadOptions(file="a.csv").in_folder(tmp_path))
    assert free_flight(loaded, qv.load_preset("torque_free").body.inertia) is None


def test_progress_increases_and_can_cancel(tmp_path: Path, motion: qv.Solution) -> None:
    qv.write_recording(
        qv.Recording(motion.t[:60], p=motion.p[:60], omega=motion.omega[:60]),
        tmp_path / "a.csv", attitude="angles",
    )  # fmt: skip
    reading = qv.ReadOptions(file="a.csv").in_folder(tmp_path)
    progress: list[float] = []
    proposal = propose_import(reading, progress.append)
    assert progress == sorted(progress)
    assert (progress[0], progress[-1] <= 1.0, len(progress) > 48) == (0.0, True, True)
    progress.clear()
    again = propose_import(
        replace(reading, direction="space_to_body").in_folder(tmp_path), progress.append, proposal
    )
    assert again.ranking is proposal.ranking, "how numbers are meant ranks nothing anew"
    assert len(progress) == 2

    def end(share: float) -> None:
        if share > 0.5:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        propose_import(reading, end)


def run(arguments: list[Any]) -> int:
    return int(COMMAND.main([str(word) for word in arguments]))


def test_command_aligns_a_recording_with_a_preset_lane(
    motion: qv.Solution, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, motion)
    tumbling().with_run(lanes=["newton_euler"], duration=8.0).to_toml(tmp_path / "run.toml")
    arguments = [tmp_path / "a.csv", "--into", tmp_path / "run.toml", "--clock", "--turn", "both"]
    assert run([*arguments, "--start", 32.0 + LATE, "-o", tmp_path / "both.toml"]) == 0
    assert "clocks differ" in capsys.readouterr().out
    both = qv.load_preset(tmp_path / "both.toml")
    assert [lane.name or lane.formulation for lane in both.lanes] == ["newton_euler", "a"]
    error = qv.simulate(both).orientation_error("a", "newton_euler")
    assert error[np.isfinite(error)].max() < 5e-3
    for wrong in (["--clock"], ["--into", tmp_path / "run.toml", "--against", "nobody", "--clock"]):
        with pytest.raises(qv.InputError):
            run([tmp_path / "a.csv", *wrong])


def test_command_finds_the_free_flight(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    free = qv.simulate(qv.load_preset("torque_free"), lanes=["exact"], duration=3.0)["exact"]
    throw(tmp_path, free, felt=True)
    assert run([tmp_path / "b.csv", "--free"]) == 0
    assert "free flight from" in capsys.readouterr().out
    reading = qv.load_preset(tmp_path / "b.toml").lanes[1].recording
    assert (reading.start, reading.stop) == pytest.approx((13.51, 14.49), abs=0.011)
    throw(tmp_path, free, felt=False)
    with pytest.raises(qv.InputError, match="a free flight"):
        run([tmp_path / "b.csv", "--free", "-n"])
