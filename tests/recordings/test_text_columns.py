"""Text columns with unknown separator, decimal mark and header, and their detected meaning."""

import io
import math
import random
import struct
import sys
from decimal import Decimal, localcontext
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow
import pytest
from pyarrow import csv

from quatviz.base.cancellation import reporting_progress
from quatviz.base.errors import InputError
from quatviz.recordings.column_detection import detect_columns
from quatviz.recordings.columns import FileColumns, text_cells
from quatviz.recordings.file_times import read_times
from quatviz.recordings.readers import read_columns
from quatviz.recordings.text_format import TextFormat
from quatviz.recordings.text_table import parse_columns, read_text_columns


def read(text: str | bytes, coding: str = "utf-8") -> FileColumns:
    return read_text_columns(
        io.BytesIO(text if isinstance(text, bytes) else text.encode(coding)), "throw.csv"
    )


def numbers(file_columns: FileColumns) -> dict[str, list[float]]:
    return {name: values.tolist() for name, values in file_columns.columns.items()}


PLAIN = "t,x,y\n0,1.5,-2\n0.1,2.5e-3,.5\n0.2,-3,+4\n"
VALUES = {"t": [0.0, 0.1, 0.2], "x": [1.5, 2.5e-3, -3.0], "y": [-2.0, 0.5, 4.0]}


@pytest.mark.parametrize("separator", [",", ";", "\t", "|", " ", "   "])
def test_separator_is_detected(separator: str) -> None:
    assert numbers(read(PLAIN.replace(",", separator))) == VALUES


@pytest.mark.parametrize("separator", [";", "\t", " "])
def test_decimal_comma_is_detected(separator: str) -> None:
    assert numbers(read(PLAIN.replace(",", separator).replace(".", ","))) == VALUES


def test_decimal_commas_and_points_may_be_mixed() -> None:
    assert numbers(read("t;x\n0,1;1.5\n0,2;2,5\n0.3;3,5\n")) == {"t": [0.1, 0.2, 0.3], "x": [1.5, 2.5, 3.5]}


@pytest.mark.parametrize(
    "coding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252"]
)
def test_encodings_and_byte_order_marks_are_removed(coding: str) -> None:
    table = read("t;ω [°/s]\n0;1\n1;2\n".replace("ω", "w" if coding == "cp1252" else "ω"), coding)
    assert next(iter(table.columns)) == "t"
    assert list(table.columns)[1].endswith("[°/s]")
    assert numbers(table)["t"] == [0.0, 1.0]


@pytest.mark.parametrize("coding", ["utf-8", "utf-16", "cp1252"])
def test_unicode_spaces_and_signs_are_normalized(coding: str) -> None:
    text = "t;x\n0;\xa01.5\xa0\n1;" + ("-2" if coding == "cp1252" else "\u22122\u202f") + "\n"
    assert numbers(read(text, coding)) == {"t": [0.0, 1.0], "x": [1.5, -2.0]}


def test_cells_in_another_encoding_are_missing_numbers() -> None:
    text = b"t,x\n" + b"0,1\n" * 70_000 + b"5,\xff\xfe\n6,2\n"
    assert numbers(read(text))["x"][-2:] == [pytest.approx(np.nan, nan_ok=True), 2.0]


@pytest.mark.parametrize("end", ["\r\n", "\n", "\r"])
def test_all_line_endings_and_a_missing_last_one_are_accepted(end: str) -> None:
    assert numbers(read(PLAIN.replace("\n", end).removesuffix(end))) == VALUES


def test_line_endings_may_be_mixed() -> None:
    text = "\r".join(["t,x", *(f"{number},1" for number in range(500))]) + "\n"
    assert numbers(read(text + text.replace("\r", "\n").removeprefix("t,x\n")))["t"] == [*range(500)] * 2


def test_comments_blank_lines_and_quotes_are_accepted() -> None:
    assert numbers(read('# a throw, 2026\n\n"t","x","y"\n"0",1.5,-2\n0.1,0.0025,.5\n0.2,-3,4\n')) == VALUES
    assert numbers(read("% t x y\n 0  1.5 -2\n 0.1 2.5e-3 .5\n 0.2 -3 4\n")) == VALUES, (
        "a comment may be the header"
    )


def test_commas_in_quotes_are_decimal_commas() -> None:
    assert numbers(read('"t","x"\n"0,1","2,5"\n"0,2"," -3,5 "\n')) == {"t": [0.1, 0.2], "x": [2.5, -3.5]}


def test_separate_unit_line_is_appended_to_names() -> None:
    assert list(read("t,x\ns,rad/s\n0,1\n1,2\n").columns) == ["t [s]", "x [rad/s]"]


def test_missing_and_duplicate_names_are_numbered() -> None:
    assert list(read("0,1,2\n1,2,3\n").columns) == ["column 1", "column 2", "column 3"]
    assert list(read("a,a,\n1,2,3\n2,3,4\n").columns) == ["a", "a (2)", "column 3"]


def test_broken_lines_are_counted_and_non_numbers_are_missing() -> None:
    table = read("t,x\n0,1\n1,2,3\n2\n3,n/a\n4,seven\n5,\n6,7\n")
    np.testing.assert_array_equal(table.columns["t"], [0, 3, 4, 5, 6])
    np.testing.assert_array_equal(table.columns["x"], [1, np.nan, np.nan, np.nan, 7])
    assert list(table.remarks) == ["2 lines with another number of cells were left out"]


def every_kind_of_number() -> list[str]:
    """Random doubles, very long numbers, and numbers midway between two doubles."""
    rng = random.Random(4)
    numerals = [repr(struct.unpack("d", rng.randbytes(8))[0]) for _ in range(3000)]
    for _ in range(3000):
        numerals += [repr(rng.uniform(-1, 1)), f"{rng.uniform(-1e3, 1e3):.{rng.randrange(40)}f}"]
        numerals.append(f"{rng.uniform(-1, 1):+.{rng.randrange(30)}e}")
        middle = str(2 * (rng.getrandbits(53) | 1 << 52) + 1)
        numerals += [middle + rng.choice(["", "00e-2", "e3"]), middle + "." + "0" * rng.randrange(20) + "1"]
        low = rng.uniform(-1e3, 1e3)
        with localcontext(prec=100):
            exact = (Decimal(low) + Decimal(math.nextafter(low, math.inf))) / 2
        numerals += [f"{exact}", f"{exact}1"]
    numerals += [
        "0",
        "-0",
        "5e-324",
        "2.4e-324",
        "1e-400",
        "1.7976931348623157e308",
        "1.7976931348623159e308",
    ]
    numerals += [
        "18446744073709551616",
        "9" * 400,
        "0." + "0" * 400 + "7",
        "1.",
        ".5",
        "1e00000000000000000005",
    ]
    return [word for word in numerals if "n" not in word]


def test_numbers_are_rounded_to_the_nearest_double() -> None:
    numerals = every_kind_of_number()
    text = "\n".join(f"0 {word}" for word in numerals).encode()
    table = parse_columns(text, TextFormat("utf-8", " ", 0, ("t", "x")), "throw.csv").columns["x"]
    expected = np.array([float(word) for word in numerals])
    expected[~np.isfinite(expected)] = np.nan
    np.testing.assert_array_equal(table, expected)
    assert (np.signbit(table) == np.signbit(expected))[np.isfinite(expected)].all()


@pytest.mark.parametrize(
    "cell", ["", "-", "+", ".", "e5", "1e", "1e+", "1-2", "1.2.3", "1,2,3", "0x10", "1 2", "1_0", "inf", "--1", "1e5.", "½", '"']
)  # fmt: skip
def test_non_numeric_cells_are_missing(cell: str) -> None:
    table = read(f"t;x\n0;1\n1;2\n2;{cell}\n3;4\n")
    np.testing.assert_array_equal(table.columns["x"], [1, 2, np.nan, 4])


def test_fortran_exponents_are_read() -> None:
    assert numbers(read("t x\n0 1.5D+02\n1 -2d-1\n"))["x"] == [150.0, -0.2]


def test_text_columns_need_no_library(monkeypatch: pytest.MonkeyPatch) -> None:
    """The stand-alone program does not contain these libraries."""
    for name in ("pyarrow", "pandas"):
        monkeypatch.setitem(sys.modules, name, None)
    assert numbers(read(PLAIN)) == VALUES
    times = read_times(read("time,x\n2026-11-25T13:20:00.25Z,1\n2026-11-25T13:20:00.35Z,2\n").columns, "time")
    assert np.diff(times.seconds) == pytest.approx(0.1, abs=1e-9)


@pytest.mark.parametrize("text", ["", "\n\n", "a b c\nd e f\n", "\0\0\0", "# only\n# comments\n", "17\n18\n"])
def test_files_without_a_table_are_refused(text: str) -> None:
    with pytest.raises(InputError) as refusal:
        read(text)
    assert refusal.value.place == "throw.csv"
    assert refusal.value.topic == "recordings#tables-of-text"


def test_comments_and_broken_lines_are_counted_and_skipped() -> None:
    text = 't,x,y\n# first\n0,1,2\n# a,b,c\n%\n// d\n0.1,2\n"0.2","3",4\n\n0.3,"5,6",7\n0.4,"8\n0.5,9,10\n'
    table = read_text_columns(io.BytesIO(text.encode()), "a.csv")
    np.testing.assert_array_equal(table.columns["t"], [0.0, 0.2, 0.3, 0.5])
    assert text_cells(table.columns, "x") == ["1", "3", "5,6", "9"]
    remarks = " ".join(map(str, table.remarks))
    assert "3 lines of comment" in remarks
    assert "2 lines with another number of cells" in remarks


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_line_count_does_not_depend_on_block_size(monkeypatch: pytest.MonkeyPatch, ending: str) -> None:
    lines = ["t,x"]
    for number in range(300):
        lines += [f"{number},{number % 7}", "# note", "torn", f'"{number + 0.5}","a""b"', 'lone "quote,1'][
            : 1 + number % 5
        ]
    data = ending.join(lines).encode()
    whole = read_text_columns(io.BytesIO(data), "a.csv")
    for size in (1, 7, 64, 1000):
        monkeypatch.setattr("quatviz.recordings.text_table.BLOCK_BYTES", size)
        parts = read_text_columns(io.BytesIO(data), "a.csv")
        np.testing.assert_array_equal(parts.columns["t"], whole.columns["t"])
        assert text_cells(parts.columns, "x") == text_cells(whole.columns, "x")
        assert list(map(str, parts.remarks)) == list(map(str, whole.remarks))


def test_comments_are_removed_before_conversion(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of comments once took a minute per 200 MB, because each became a row of texts."""
    sizes: list[int] = []
    read_csv = csv.read_csv

    def count(source: Any, *options: Any) -> Any:
        sizes.append(source.size())
        return read_csv(source, *options)

    monkeypatch.setattr(csv, "read_csv", count)
    data = b"t x y z\n" + b"0 1 2 3\n" * 300 + b"# a comment line\n" * 100_000
    table = read_text_columns(io.BytesIO(data), "a.csv")
    assert len(table.columns["t"]) == 300
    assert max(sizes) <= 300 * 8


def test_too_many_numbers_are_refused_before_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("quatviz.recordings.text_table.MAX_NUMBERS", 5)
    with pytest.raises(InputError, match="at most 5 numbers"):
        read(PLAIN)


def test_ten_million_rows_use_only_the_memory_of_their_numbers() -> None:
    """In addition to the text, one double for each number."""
    rows = 10_000_000
    block = "".join(f"{number / 4},{number % 7}\n" for number in range(1000))
    file = io.BytesIO(("t,x\n" + block * (rows // 1000)).encode())
    before = pyarrow.total_allocated_bytes()
    table = read_text_columns(file, "throw.csv").columns
    assert pyarrow.total_allocated_bytes() - before < 1.1 * 2 * 8 * rows
    assert len(table["t"]) == rows
    np.testing.assert_array_equal(table["t"][-1000:], np.arange(1000) / 4)


def test_text_exceeding_free_memory_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("quatviz.recordings.text_table.free_memory", lambda: 200)
    with pytest.raises(InputError, match="at most 6 numbers"):
        read(PLAIN)


def columns(*names: str) -> dict[str, np.ndarray]:
    """Columns of these names: times, quaternions that have the length 1, and small numbers."""
    random = np.random.default_rng(1)
    q = random.normal(size=(50, 4))
    q /= np.linalg.norm(q, axis=1)[:, None]
    arrays, used = {}, 0
    for name in names:
        if name.lower().startswith(("t", "sample")):
            arrays[name] = 0.01 * np.arange(50)
        else:
            arrays[name] = q[:, used % 4]
            used += 1
    return arrays


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
def test_quaternions_are_detected_by_name(names: str, chosen: str, order: str) -> None:
    detected = detect_columns(columns(*names.split(","))).options
    assert detected["time"] == names.split(",")[0]
    assert (detected["attitude"], detected["attitude_columns"], detected["order"]) == (
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
        ("Time (s),X (rad/s),Y (rad/s),Z (rad/s)", None, "rad/s", "body"),
        ("Tiempo (s),Giroscopio X (deg/s),Giroscopio Y (deg/s),Giroscopio Z (deg/s)", None, "deg/s", "body"),
        ("t,roll,pitch,yaw,p,q,r", "p,q,r", "rad/s", "body"),
        ("t,a:omega_1,a:omega_2,a:omega_3,a:omega_space_x,a:omega_space_y,a:omega_space_z", "a:omega_1,a:omega_2,a:omega_3",
            "rad/s", "body"),
        ("t,a:omega_space_x,a:omega_space_y,a:omega_space_z", None, "rad/s", "space"),
    ],
)  # fmt: skip
def test_rates_are_detected_by_name(names: str, chosen: str | None, unit: str, axes: str) -> None:
    detected = detect_columns(columns(*names.split(","))).options
    expected = names.split(",")[1:4] if chosen is None else chosen.split(",")
    assert (detected["rate_columns"], detected["rate_unit"], detected["rate_axes"]) == (
        tuple(expected),
        unit,
        axes,
    )


def test_matrices_angles_and_rotation_vectors_are_detected() -> None:
    names = [f"r{i}{j}" for i in "123" for j in "123"]
    assert detect_columns(columns("t", *names)).options["attitude_columns"] == tuple(names)
    detected = detect_columns(columns("t", "roll", "pitch", "yaw")).options
    assert (detected["attitude_columns"], detected["sequence"], detected["angle_unit"]) == (
        ("yaw", "pitch", "roll"),
        "321",
        "rad",
    )
    detected = detect_columns(columns("t", "x:angles_313_1", "x:angles_313_2", "x:angles_313_3")).options
    assert (detected["attitude"], detected["sequence"]) == ("angles", "313")
    assert (
        detect_columns(columns("t", "rotvec_x", "rotvec_y", "rotvec_z")).options["attitude"]
        == "rotation_vector"
    )


def test_units_are_not_guessed_from_magnitudes() -> None:
    large = {
        name: 400.0 * values for name, values in columns("roll", "pitch", "yaw", "wx", "wy", "wz").items()
    }
    detection = detect_columns({**columns("t"), **large})
    assert (detection.options["angle_unit"], detection.options["rate_unit"]) == ("rad", "rad/s")
    assert not {"angle_unit", "rate_unit"} & detection.given, "and it is known that nobody says it"


@pytest.mark.parametrize(("step", "unit"), [(10, "ms"), (10_000, "us"), (10_000_000, "ns"), (0.01, "s")])
def test_time_counter_unit_is_assumed_from_its_step(step: float, unit: str) -> None:
    detection = detect_columns({"t": step * np.arange(20.0)})
    assert detection.options["time_unit"] == unit
    assert "time_unit" not in detection.given
    detection = detect_columns({f"t [{unit}]": 0.5 * np.arange(20.0)})
    assert detection.options["time_unit"] == unit
    assert "time_unit" in detection.given


def test_nothing_is_proposed_without_evidence() -> None:
    assert detect_columns(columns("alpha", "price", "volume")).options == {"attitude": "none"}


def test_parsed_bytes_are_reported_during_parsing(tmp_path: Path) -> None:
    """The file is larger than two blocks of pyarrow."""
    row = "1.000000000001,0.1000000000001,2.5000000000001,0.2000000000001\n"
    (tmp_path / "a.csv").write_text("t [s],wx [rad/s],wy [rad/s],wz [rad/s]\n" + row * 160_000)
    fractions: list[float] = []
    with reporting_progress(fractions.append):
        columns = read_columns(tmp_path / "a.csv").columns
    assert len(columns["t [s]"]) == 160_000
    assert fractions == sorted(fractions)
    assert 0.0 < fractions[0] < 0.6
    assert fractions[-1] == 1.0
