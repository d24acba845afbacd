"""Attitude ephemeris messages: examples of the standard, every kind of state in both directions, segments, invalid
ones."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import quatviz as qv
from quatviz.physics.exact import solve
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.euler_sequences import S
from quatviz.physics.mechanics.rotations import conjugate, rate_from_omega, relative_angle, rotate
from quatviz.recordings.loading import load, loading_remarks

HEAD = """CCSDS_AEM_VERS = {version}
CREATION_DATE = 2002-11-04T17:22:31
ORIGINATOR = NASA/JPL
"""
META = """
META_START
COMMENT  It is to be used for attitude reconstruction only.
OBJECT_NAME          = MARS GLOBAL SURVEYOR
OBJECT_ID            = 1996-062A
CENTER_NAME          = MARS BARYCENTER
REF_FRAME_A          = {A}
REF_FRAME_B          = {B}
{more}TIME_SYSTEM          = UTC
START_TIME           = 1996-11-28T21:29:07.2555
STOP_TIME            = 1996-11-30T01:28:02.5555
ATTITUDE_TYPE        = {kind}
META_STOP

DATA_START
"""
BOOK = (
    HEAD.format(version="1.0")
    + META.format(
        A="EME2000", B="SC_BODY_1", more="ATTITUDE_DIR = A2B\nQUATERNION_TYPE = LAST\n", kind="QUATERNION"
    )
    + """1996-11-28T21:29:07.2555 0.56748   0.03146   0.45689   0.68427
1996-11-28T22:08:03.5555 0.42319   -0.45697  0.23784   0.74533
1996-11-28T22:08:04.5555 -0.84532  0.26974   -0.06532  0.45652
1996-11-30T01:28:02.5555  0.74563   -0.45375   0.36875   0.31964
DATA_STOP
"""
    + META.format(
        A="EME2000", B="SC_BODY_1", more="ATTITUDE_DIR = A2B\nQUATERNION_TYPE = LAST\n", kind="QUATERNION"
    )
    + """1996-12-18T12:05:00.5555  -0.64585  0.018542   -0.23854  0.72501
1996-12-18T12:10:05.5555  0.87451   -0.43475   0.13458   -0.16767
1996-12-18T12:10:10.5555  0.03125   -0.65874   0.23458   -0.71418
1996-12-28T21:28:00.5555  -0.25485  0.58745   -0.36845   0.67394
DATA_STOP
"""
)
"""The example of CCSDS 504.0-B-1, annex A, its dots filled in with the lines that are printed."""


@pytest.fixture(scope="module")
def motion() -> qv.Solution:
    return qv.simulate(qv.load_preset("torque_free"), lanes=["exact"], duration=1.0)["exact"]


def read(folder: Path, text: str, name: str = "message.aem", **options: Any) -> qv.Recording:
    (folder / name).write_text(text, "utf-8")
    return load(qv.ReadOptions(file=name, **options).in_folder(folder)).recording


def message(
    data_type: str, values: np.ndarray, motion: qv.Solution, version: str = "1.0", **more: str
) -> str:
    A, B = more.pop("A", "EME2000"), more.pop("B", "SC_BODY_1")
    lines = "".join(f"{key} = {value}\n" for key, value in more.items())
    rows = "\n".join(
        f"2026-01-01T00:00:{t:09.6f} {' '.join(map(repr, row))}"
        for t, row in zip(motion.t, values.tolist(), strict=True)
    )
    return (
        HEAD.format(version=version)
        + META.format(A=A, B=B, more=lines, kind=data_type)
        + rows
        + "\nDATA_STOP\n"
    )


def test_standard_example_has_two_segments_and_a_gap(tmp_path: Path) -> None:
    recording = read(tmp_path, BOOK)
    assert len(recording) == 9, "a row of nothing between the two"
    first = np.array([0.68427, 0.56748, 0.03146, 0.45689])
    np.testing.assert_allclose(recording.p[0], first / np.linalg.norm(first), atol=1e-12)
    assert recording.t[1] == pytest.approx(38 * 60 + 56.3, abs=1e-6)
    assert recording.omega is None
    assert np.flatnonzero(~recording.is_known).tolist() == [4]
    assert len(read(tmp_path, BOOK, part="2")) == 4
    assert len(read(tmp_path, BOOK, part="1 MARS GLOBAL SURVEYOR 1996-11-28T21:29:07.2555")) == 4
    with pytest.raises(qv.InputError, match="one of the segments"):
        read(tmp_path, BOOK, part="3")


def test_message_is_recognized_by_content(tmp_path: Path) -> None:
    assert len(read(tmp_path, BOOK, "message.txt")) == 9
    assert len(read(tmp_path, BOOK.replace("\n", "\r\n"), "message.kvn")) == 9


def quaternions(motion: qv.Solution, first: bool, away: bool) -> np.ndarray:
    p = conjugate(motion.p) if away else motion.p
    return p if first else np.roll(p, -1, axis=1)


@pytest.mark.parametrize("frames", [("EME2000", "SC_BODY_1"), ("SC_BODY_1", "EME2000")])
@pytest.mark.parametrize("direction", ["A2B", "B2A"])
@pytest.mark.parametrize("order", ["FIRST", "LAST"])
def test_quaternions_of_both_directions_and_orders(
    motion: qv.Solution, tmp_path: Path, frames: tuple[str, str], direction: str, order: str
) -> None:
    away = (frames[0] == "SC_BODY_1") == (direction == "A2B")
    text = message(
        "QUATERNION", quaternions(motion, order == "FIRST", away), motion,
        A=frames[0], B=frames[1], ATTITUDE_DIR=direction, QUATERNION_TYPE=order,
    )  # fmt: skip
    recording = read(tmp_path, text)
    assert relative_angle(recording.p, motion.p).max() < 1e-14
    np.testing.assert_allclose(recording.t, motion.t, atol=1e-9)


@pytest.mark.parametrize("frame", ["REF_FRAME_A", "REF_FRAME_B", "EME2000"])
@pytest.mark.parametrize("away", [False, True])
@pytest.mark.parametrize("version", ["1.0", "2.0"])
def test_rates_in_both_frames(
    motion: qv.Solution, tmp_path: Path, frame: str, away: bool, version: str
) -> None:
    """The rates of a rotation from body to space are those of space relative to the body, with the opposite
    sense."""
    rates = motion.omega if frame == "REF_FRAME_B" else motion.omega_space
    rates = np.degrees(-rates if away else rates)
    more = {"ATTITUDE_DIR": "B2A" if away else "A2B"} if version == "1.0" or away else {}
    keyword, key = (
        ("QUATERNION/RATE", "RATE_FRAME") if version == "1.0" else ("QUATERNION/ANGVEL", "ANGVEL_FRAME")
    )
    values = np.hstack([quaternions(motion, False, away), rates])
    recording = read(tmp_path, message(keyword, values, motion, version, **more, **{key: frame}))
    assert relative_angle(recording.p, motion.p).max() < 1e-14
    np.testing.assert_allclose(recording.omega, motion.omega, atol=1e-13)


@pytest.mark.parametrize("away", [False, True])
@pytest.mark.parametrize("order", ["FIRST", "LAST"])
def test_derivatives_of_quaternions(motion: qv.Solution, tmp_path: Path, away: bool, order: str) -> None:
    rate = rate_from_omega(motion.p, motion.omega)
    rate = conjugate(rate) if away else rate
    rate = rate if order == "FIRST" else np.roll(rate, -1, axis=1)
    values = np.hstack([quaternions(motion, order == "FIRST", away), rate])
    direction = "B2A" if away else "A2B"
    text = message("QUATERNION/DERIVATIVE", values, motion, ATTITUDE_DIR=direction, QUATERNION_TYPE=order)
    recording = read(tmp_path, text)
    np.testing.assert_allclose(recording.omega, motion.omega, atol=1e-13)


@pytest.mark.parametrize(("sequence", "written"), [("312", "312"), ("131", "XZX"), ("321", "ZYX")])
def test_angles_with_and_without_rates(
    motion: qv.Solution, tmp_path: Path, sequence: str, written: str
) -> None:
    angles = qv.euler_sequences.angles_from_p(motion.p, sequence)
    slopes = (np.linalg.pinv(S(angles, sequence)) @ motion.omega[..., None])[..., 0]
    keep = np.abs(qv.euler_sequences.det_S(angles, sequence)) > 0.1
    version = "1.0" if written.isdigit() else "2.0"
    kinds: dict[str, list[np.ndarray]] = {
        "EULER_ANGLE": [],
        "EULER_ANGLE/RATE" if version == "1.0" else "EULER_ANGLE/DERIVATIVE": [slopes],
        "EULER_ANGLE/ANGVEL": [motion.omega],
    }
    for angle_type, more in kinds.items():
        values = np.degrees(np.hstack([angles, *more]))
        recording = read(tmp_path, message(angle_type, values, motion, version, EULER_ROT_SEQ=written))
        assert relative_angle(recording.p, motion.p).max() < 1e-13, angle_type
        if more:
            np.testing.assert_allclose(
                recording.omega[keep], motion.omega[keep], atol=1e-11, err_msg=angle_type
            )


def test_spin_state_gives_axis_and_rotation(tmp_path: Path) -> None:
    """The third axis of the body at right ascension 30 deg and declination 40 deg, 6 deg/s."""
    spin = qv.Recording(np.arange(0.0, 30.0, 0.5), omega=np.zeros((60, 3)))
    alpha, delta = np.radians([30.0, 40.0])
    values = np.stack([np.full(60, 30.0), np.full(60, 40.0), 6.0 * spin.t, np.full(60, 6.0)], axis=1)
    recording = read(tmp_path, message("SPIN", values, spin))  # type: ignore[arg-type]
    axis = [np.cos(delta) * np.cos(alpha), np.cos(delta) * np.sin(alpha), np.sin(delta)]
    np.testing.assert_allclose(rotate(recording.p, [0.0, 0.0, 1.0]), np.tile(axis, (60, 1)), atol=1e-14)
    np.testing.assert_allclose(recording.omega, np.tile([0.0, 0.0, np.radians(6.0)], (60, 1)), atol=1e-15)
    rates = read(tmp_path, message("EULER_ANGLE", np.degrees(qv.euler_sequences.angles_from_p(recording.p, "313")), spin, EULER_ROT_SEQ="313"))  # type: ignore[arg-type]  # noqa: E501  # fmt: skip
    assert relative_angle(rates.p, recording.p).max() < 1e-13


def axis_and_angle(p: np.ndarray) -> list[np.ndarray]:
    """Right ascension and declination of the third axis and the angle about it [deg]."""
    x, y, z = rotate(p, [0.0, 0.0, 1.0]).T
    spun = qv.euler_sequences.angles_from_p(p, "313")[:, 2]
    return [np.degrees(angle) for angle in (np.arctan2(y, x), np.arcsin(z), spun)]


@pytest.mark.parametrize("angle_type", ["SPIN/NUTATION", "SPIN/NUTATION_MOM"])
@pytest.mark.parametrize("flat", [True, False])
def test_spin_with_nutation_is_free_symmetric_motion(tmp_path: Path, angle_type: str, flat: bool) -> None:
    """It turns about its momentum with h / J1, and about its axis with the remaining spin."""
    J1, J3 = (1.0, 1.8) if flat else (3.0, 1.0)
    start, omega = qv.rotations.from_rotation_vector([0.3, -0.8, 1.1]), np.array([0.2, 0.3, 1.0])
    t = 0.1 * np.arange(200)
    p, rates = solve(Body(inertia=(J1, J1, J3)), [], start, omega).evaluate(t)
    h = rates * [J1, J1, J3]
    size = np.linalg.norm(h[0])
    spinning = np.full(200, np.degrees(omega[2] * (1.0 - J3 / J1)))
    along = rotate(p[0], h[0] / size)
    more = {
        "SPIN/NUTATION": [
            np.full(200, np.degrees(np.arccos(h[0, 2] / size))), np.full(200, 2.0 * np.pi * J1 / size),
            np.degrees(np.arctan2(-h[:, 1], h[:, 0])),
        ],
        "SPIN/NUTATION_MOM": [
            np.full(200, np.degrees(angle)) for angle in (np.arctan2(along[1], along[0]), np.arcsin(along[2]), size / J1)
        ],
    }[angle_type]  # fmt: skip
    motion = qv.Recording(t, p=p, omega=rates)
    recording = read(
        tmp_path,
        message(angle_type, np.stack([*axis_and_angle(p), spinning, *more], axis=1), motion),  # type: ignore[arg-type]
    )
    assert relative_angle(recording.p, p).max() < 1e-13
    np.testing.assert_allclose(recording.omega, rates, atol=1e-12)


def test_standard_spin_example_matches_its_quaternions(tmp_path: Path) -> None:
    """CCSDS 504.0-B-2, F5.4: the attitude at the epoch, and 300 s later by the given rates, to the printed digits."""
    spin = qv.Recording([0.0], omega=np.zeros((1, 3)))
    row = np.array([[0.0, 80.0, 45.0, 1.0, 0.0, 70.0, 0.01]])
    recording = read(tmp_path, message("SPIN/NUTATION_MOM", row, spin, "2.0"))  # type: ignore[arg-type]
    (p,), (omega,) = recording.p, recording.omega
    np.testing.assert_allclose(p, [0.3812, 0.0805, 0.0334, 0.9204], atol=5e-5)
    h = np.array([0.3420201, 0.0, 0.9396926])
    wobble, turn = np.radians(0.01) * h, np.array([0.0, 0.0, np.radians(1.0)])
    np.testing.assert_allclose(omega, turn + rotate(conjugate(p), wobble), atol=1e-9)
    multiply, of = qv.rotations.multiply, qv.rotations.from_rotation_vector
    later = multiply(multiply(of(300.0 * wobble), p), of(300.0 * turn))
    np.testing.assert_allclose(
        later, np.sign(later[0]) * np.array([0.7747, 0.0584, 0.0650, 0.6263]), atol=1e-4
    )


def test_spin_in_the_reverse_direction(tmp_path: Path) -> None:
    """Spin of a body about a fixed axis, given from the body frame to space."""
    t = 0.1 * np.arange(100)
    lean = qv.rotations.from_rotation_vector([0.4, -0.2, 0.7])
    p = qv.rotations.multiply(qv.rotations.from_rotation_vector(np.outer(t, [0.0, 0.0, 0.6])), lean)
    values = np.stack([*axis_and_angle(conjugate(p)), np.full(100, np.degrees(-0.6))], axis=1)
    motion = qv.Recording(t, p=p)
    for frames in ({"ATTITUDE_DIR": "B2A"}, {"A": "SC_BODY_1", "B": "EME2000"}):
        recording = read(tmp_path, message("SPIN", values, motion, **frames))  # type: ignore[arg-type]
        assert relative_angle(recording.p, p).max() < 1e-13
        np.testing.assert_allclose(
            recording.omega, np.tile(rotate(conjugate(lean), [0, 0, 0.6]), (100, 1)), atol=1e-13
        )


def test_quaternions_may_have_angle_rates(motion: qv.Solution, tmp_path: Path) -> None:
    angles = qv.euler_sequences.angles_from_p(motion.p, "213")
    slopes = (np.linalg.inv(S(angles, "213")) @ motion.omega[..., None])[..., 0]
    values = np.hstack([quaternions(motion, False, False), np.degrees(slopes)])
    recording = read(tmp_path, message("QUATERNION/RATE", values, motion, EULER_ROT_SEQ="213"))
    np.testing.assert_allclose(recording.omega, motion.omega, atol=1e-12)


def test_contradictory_rates_are_ignored(tmp_path: Path) -> None:
    """The spin axis moves fast, and its rate is not given: the rates are computed from the attitudes."""
    t = 0.05 * np.arange(200)
    p, rates = solve(
        Body(inertia=(1.0, 1.0, 1.8)), [], np.array([0.8, 0.6, 0, 0]), np.array([0.8, 0.0, 1.0])
    ).evaluate(t)
    values = np.stack([*axis_and_angle(p), np.full(200, np.degrees(1.0))], axis=1)
    (tmp_path / "a.aem").write_text(message("SPIN", values, qv.Recording(t, p=p)))  # type: ignore[arg-type]
    loaded = load(qv.ReadOptions(file="a.aem").in_folder(tmp_path))
    assert loaded.recording.omega is None
    assert "rates of SPIN were ignored because they contradict the attitudes" in loading_remarks(loaded)
    np.testing.assert_allclose(loaded.track.omega, rates, atol=1e-6)


def test_days_of_year_and_comments_are_accepted(tmp_path: Path) -> None:
    text = BOOK.replace("1996-11-28T21", "1996-333T21").replace("1996-11-28T22", "1996-333T22")
    text = text.replace("1996-333T22:08:04", "COMMENT a thruster fired\n1996-333T22:08:04")
    plain, other = read(tmp_path, BOOK), read(tmp_path, text)
    np.testing.assert_array_equal(other.t, plain.t)
    assert other.remarks == plain.remarks


def test_unknown_keywords_and_broken_lines_are_counted(tmp_path: Path) -> None:
    text = BOOK.replace("TIME_SYSTEM", "FAVOURITE_COLOUR = blue\nTIME_SYSTEM").replace(
        "0.68427\n", "0.68427\n1996-11-28 1\n"
    )
    (tmp_path / "message.aem").write_text(text)
    loaded = load(qv.ReadOptions(file="message.aem").in_folder(tmp_path))
    remarks = "\n".join(loading_remarks(loaded))
    assert "2 lines with unknown keywords were not read: FAVOURITE_COLOUR" in remarks
    assert "1 line with another number of cells was left out" in remarks
    assert len(loaded.recording) == 9


def test_segments_may_differ_in_kind_and_direction(motion: qv.Solution, tmp_path: Path) -> None:
    """The first third as quaternions, the second as angles, the last from the body's frame to space."""
    whole = qv.Recording(motion.t, p=motion.p)
    cuts = [slice(0, 30), slice(29, 60), slice(60, 101)]
    one, two, three = (qv.Recording(whole.t[rows], p=whole.p[rows]) for rows in cuts)
    angles = np.degrees(qv.euler_sequences.angles_from_p(two.p, "213"))
    text = message("QUATERNION", np.roll(one.p, -1, axis=1), one)  # type: ignore[arg-type]
    text += message("EULER_ANGLE", angles, two, EULER_ROT_SEQ="213").partition("ORIGINATOR = NASA/JPL\n")[2]  # type: ignore[arg-type]
    last = message("QUATERNION", np.roll(conjugate(three.p), -1, axis=1), three, A="SC_BODY_1", B="EME2000")  # type: ignore[arg-type]
    recording = read(tmp_path, text + last.partition("ORIGINATOR = NASA/JPL\n")[2])
    known = recording.is_known
    np.testing.assert_allclose(recording.t[known], motion.t, atol=1e-6)
    assert relative_angle(recording.p[known], motion.p).max() < 1e-13
    assert recording.gaps.tolist() == [pytest.approx([0.59, 0.60], abs=1e-6)], "two that share a row meet"


def test_segments_of_another_object_are_separate(tmp_path: Path) -> None:
    before, _, after = BOOK.rpartition("1996-062A")
    text = f"{before}2001-013A{after}"
    assert len(read(tmp_path, text)) == 4
    assert len(read(tmp_path, text, part="2")) == 4
    assert read(tmp_path, text) != read(tmp_path, text, part="2")


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("ATTITUDE_TYPE        = QUATERNION", "ATTITUDE_TYPE = SPIN/PRECESSION", 17, "SPIN/PRECESSION"),
        ("ATTITUDE_TYPE        = QUATERNION\n", "", 19, "no such keyword"),
        ("QUATERNION_TYPE = LAST", "QUATERNION_TYPE = MIDDLE", 13, "MIDDLE"),
        ("ATTITUDE_DIR = A2B", "ATTITUDE_DIR = SIDEWAYS", 12, "SIDEWAYS"),
        ("ATTITUDE_TYPE        = QUATERNION", "ATTITUDE_TYPE = EULER_ANGLE", 20, "''"),
        ("TIME_SYSTEM          = UTC", "and so on", 14, "and so on"),
        ("META_START", "META_START\nMETA_BEGIN", 6, "META_BEGIN"),
    ],
)
def test_unreadable_values_are_refused_with_their_line(
    tmp_path: Path, old: str, new: str, line: int, message: str
) -> None:
    with pytest.raises(qv.InputError) as refusal:
        read(tmp_path, BOOK.replace(old, new))
    assert refusal.value.place.endswith(f"message.aem, line {line}")
    assert message in refusal.value.found
    assert refusal.value.topic == "recordings#attitude-ephemeris-messages"


@pytest.mark.parametrize(
    "text", ["CCSDS_AEM_VERS = 1.0\n", BOOK.split("1996-11-28T21:29:07.2555 0")[0], BOOK[:500]]
)
def test_truncated_message_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(qv.InputError):
        read(tmp_path, text)


def test_unknown_frames_are_reported_as_assumed(motion: qv.Solution, tmp_path: Path) -> None:
    (tmp_path / "a.aem").write_text(
        message("QUATERNION", quaternions(motion, False, False), motion, A="TABLE", B="TOP")
    )
    loaded = load(qv.ReadOptions(file="a.aem").in_folder(tmp_path))
    assert "the frame TOP, and not TABLE, is assumed to be the body frame" in loaded.recording.remarks
    assert relative_angle(loaded.recording.p, motion.p).max() < 1e-14
