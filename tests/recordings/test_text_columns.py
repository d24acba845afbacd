"""Columns of a text whose separator, decimal mark and header nobody has said, and what they seem to be."""

import io

import numpy as np
import pytest

from quatviz.base.errors import InputError
from quatviz.recordings.columns import Found
from quatviz.recordings.delimiting import text_columns
from quatviz.recordings.proposing import proposed


def read(text: str | bytes, coding: str = "utf-8") -> Found:
    return text_columns(io.BytesIO(text if isinstance(text, bytes) else text.encode(coding)), "throw.csv")


def numbers(found: Found) -> dict[str, list[float]]:
    return {name: values.tolist() for name, values in found.columns.items()}


PLAIN = "t,x,y\n0,1.5,-2\n0.1,2.5e-3,.5\n0.2,-3,+4\n"
VALUES = {"t": [0.0, 0.1, 0.2], "x": [1.5, 2.5e-3, -3.0], "y": [-2.0, 0.5, 4.0]}


@pytest.mark.parametrize("separator", [",", ";", "\t", "|", " ", "   "])
def test_the_separator_is_found(separator: str) -> None:
    assert numbers(read(PLAIN.replace(",", separator))) == VALUES


@pytest.mark.parametrize("separator", [";", "\t", " "])
def test_a_decimal_comma_is_found(separator: str) -> None:
    assert numbers(read(PLAIN.replace(",", separator).replace(".", ","))) == VALUES


def test_decimal_commas_and_points_may_be_mixed() -> None:
    assert numbers(read("t;x\n0,1;1.5\n0,2;2,5\n0.3;3,5\n")) == {"t": [0.1, 0.2, 0.3], "x": [1.5, 2.5, 3.5]}


@pytest.mark.parametrize("coding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_codings_and_byte_order_marks_are_none_of_a_name(coding: str) -> None:
    found = read("t;ω [°/s]\n0;1\n1;2\n".replace("ω", "w" if coding == "cp1252" else "ω"), coding)
    assert next(iter(found.columns)) == "t"
    assert list(found.columns)[1].endswith("[°/s]")


@pytest.mark.parametrize("end", ["\r\n", "\n"])
def test_lines_of_windows_and_no_last_line_end(end: str) -> None:
    assert numbers(read(PLAIN.replace("\n", end).removesuffix(end))) == VALUES


def test_comments_blank_lines_and_quotes() -> None:
    assert numbers(read('# a throw, 2026\n\n"t","x","y"\n"0",1.5,-2\n0.1,0.0025,.5\n0.2,-3,4\n')) == VALUES
    assert numbers(read("% t x y\n 0  1.5 -2\n 0.1 2.5e-3 .5\n 0.2 -3 4\n")) == VALUES, (
        "a comment may be the header"
    )


def test_units_in_a_line_of_their_own_stand_behind_the_names() -> None:
    assert list(read("t,x\ns,rad/s\n0,1\n1,2\n").columns) == ["t [s]", "x [rad/s]"]


def test_names_that_are_missing_or_twice_are_numbered() -> None:
    assert list(read("0,1,2\n1,2,3\n").columns) == ["column 1", "column 2", "column 3"]
    assert list(read("a,a,\n1,2,3\n2,3,4\n").columns) == ["a", "a (2)", "column 3"]


def test_torn_lines_are_counted_and_cells_that_are_no_numbers_are_missing() -> None:
    found = read("t,x\n0,1\n1,2,3\n2\n3,n/a\n4,seven\n5,\n6,7\n")
    np.testing.assert_array_equal(found.columns["t"], [0, 3, 4, 5, 6])
    np.testing.assert_array_equal(found.columns["x"], [1, np.nan, np.nan, np.nan, 7])
    assert list(found.remarks) == ["2 lines with another number of cells were left out"]


def test_times_of_the_clock_are_seconds() -> None:
    found = read("time,x\n2026-11-25T13:20:00.25Z,1\n2026-11-25T13:20:00.35Z,2\n")
    assert np.diff(found.columns["time"]) == pytest.approx(0.1, abs=1e-9)
    assert found.columns["time"][0] == pytest.approx(13 * 3600 + 20 * 60 + 0.25, abs=1e-9), "from midnight on"


@pytest.mark.parametrize("text", ["", "\n\n", "a b c\nd e f\n", "\0\0\0", "# only\n# comments\n", "17\n18\n"])
def test_what_is_no_table_is_refused(text: str) -> None:
    with pytest.raises(InputError) as refusal:
        read(text)
    assert refusal.value.place == "throw.csv"
    assert refusal.value.topic == "recordings#tables-of-text"


def test_more_numbers_than_are_read_are_refused_before_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("quatviz.recordings.delimiting.MOST_NUMBERS", 5)
    with pytest.raises(InputError, match="at most 5 numbers"):
        read(PLAIN)


def columns(*names: str) -> dict[str, np.ndarray]:
    """Columns of these names: times, quaternions that have the length 1, and small numbers."""
    random = np.random.default_rng(1)
    q = random.normal(size=(50, 4))
    q /= np.linalg.norm(q, axis=1)[:, None]
    found, used = {}, 0
    for name in names:
        if name.lower().startswith(("t", "sample")):
            found[name] = 0.01 * np.arange(50)
        else:
            found[name] = q[:, used % 4]
            used += 1
    return found


QUATERNIONS = [
    ("t,qw,qx,qy,qz", "qw,qx,qy,qz", "scalar_first"),
    ("t,x,y,z,w", "w,x,y,z", "scalar_first"),
    ("time,q[0],q[1],q[2],q[3]", "q[0],q[1],q[2],q[3]", "scalar_first"),
    ("Time,Q1,Q2,Q3,Q4", "Q1,Q2,Q3,Q4", "scalar_last"),
    ("t,Q1,Q2,Q3,QC", "Q1,Q2,Q3,QC", "scalar_last"),
    ("t,e0,e1,e2,e3", "e0,e1,e2,e3", "scalar_first"),
    ("t,hamilton:p_0,hamilton:p_1,hamilton:p_2,hamilton:p_3", "hamilton:p_0,hamilton:p_1,hamilton:p_2,hamilton:p_3",
        "scalar_first"),
    ("t,orientation.x,orientation.y,orientation.z,orientation.w", "orientation.w,orientation.x,orientation.y,orientation.z",
        "scalar_first"),
    ("SampleTimeFine,Quat_W,Quat_X,Quat_Y,Quat_Z,Acc_X,Acc_Y,Acc_Z", "Quat_W,Quat_X,Quat_Y,Quat_Z", "scalar_first"),
]  # fmt: skip


@pytest.mark.parametrize(("names", "chosen", "order"), QUATERNIONS)
def test_quaternions_are_found_by_their_names(names: str, chosen: str, order: str) -> None:
    says = proposed(columns(*names.split(",")))
    assert says["time"] == names.split(",")[0]
    assert (says["attitude"], says["attitude_columns"], says["order"]) == (
        "quaternion",
        tuple(chosen.split(",")),
        order,
    )


@pytest.mark.parametrize(
    ("names", "chosen", "unit", "axes"),
    [
        ("t,wx,wy,wz", "wx,wy,wz", "rad/s", "body"),
        ("t,Gyroscope x (rad/s),Gyroscope y (rad/s),Gyroscope z (rad/s),Absolute (rad/s)", None, "rad/s", "body"),
        ("t,ω_x [°/s],ω_y [°/s],ω_z [°/s]", None, "deg/s", "body"),
        ("t,roll,pitch,yaw,p,q,r", "p,q,r", "rad/s", "body"),
        ("t,a:omega_1,a:omega_2,a:omega_3,a:omega_space_x,a:omega_space_y,a:omega_space_z", "a:omega_1,a:omega_2,a:omega_3",
            "rad/s", "body"),
        ("t,a:omega_space_x,a:omega_space_y,a:omega_space_z", None, "rad/s", "space"),
    ],
)  # fmt: skip
def test_rates_are_found_by_their_names(names: str, chosen: str | None, unit: str, axes: str) -> None:
    says = proposed(columns(*names.split(",")))
    expected = names.split(",")[1:4] if chosen is None else chosen.split(",")
    assert (says["rate_columns"], says["rate_unit"], says["rate_axes"]) == (tuple(expected), unit, axes)


def test_matrices_angles_and_rotation_vectors_are_found() -> None:
    names = [f"r{i}{j}" for i in "123" for j in "123"]
    assert proposed(columns("t", *names))["attitude_columns"] == tuple(names)
    says = proposed(columns("t", "roll", "pitch", "yaw"))
    assert (says["attitude_columns"], says["sequence"], says["angle_unit"]) == (
        ("yaw", "pitch", "roll"),
        "321",
        "rad",
    )
    says = proposed(columns("t", "x:angles_313_1", "x:angles_313_2", "x:angles_313_3"))
    assert (says["attitude"], says["sequence"]) == ("angles", "313")
    assert proposed(columns("t", "rotvec_x", "rotvec_y", "rotvec_z"))["attitude"] == "rotation_vector"


def test_degrees_are_known_by_numbers_that_no_radians_reach() -> None:
    large = {
        name: 100.0 * values for name, values in columns("roll", "pitch", "yaw", "wx", "wy", "wz").items()
    }
    says = proposed({**columns("t"), **{name: 4.0 * values for name, values in large.items()}})
    assert (says["angle_unit"], says["rate_unit"]) == ("deg", "deg/s")


@pytest.mark.parametrize(("step", "unit"), [(10, "ms"), (10_000, "us"), (10_000_000, "ns"), (0.01, "s")])
def test_a_count_of_times_has_the_unit_of_its_step(step: float, unit: str) -> None:
    assert proposed({"t": step * np.arange(20.0)})["time_unit"] == unit
    assert proposed({f"t [{unit}]": 0.5 * np.arange(20.0)})["time_unit"] == unit


def test_of_what_nobody_could_know_nothing_is_proposed() -> None:
    assert proposed(columns("alpha", "price", "volume")) == {"attitude": "none"}
