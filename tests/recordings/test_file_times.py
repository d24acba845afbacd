"""Times of rows: exact for counts since 1970, through midnight, leap seconds and counters, and never row numbers."""

from pathlib import Path

import numpy as np
import pytest

import quatviz as qv
from quatviz.recordings.file_times import FileTimes, parse_clock, read_times
from quatviz.recordings.text_table import TextColumns

DATES = [
    ("2026-11-25T13:20:00.25Z", "2026-11-25T13:20:00.25"),
    ("2026-11-25 13:20:00,123456789", "2026-11-25T13:20:00.123456789"),
    ("2026-11-25T13:20:00.1234567891", "2026-11-25T13:20:00.123456789"),
    ("2024-02-29T00:00", "2024-02-29T00:00"),
    ("2000-02-29T23:59:59.999999999+00:00", "2000-02-29T23:59:59.999999999"),
    ("1969-12-31T23:59:59", "1969-12-31T23:59:59"),
    ("1996-333T21:29:07.2555", "1996-11-28T21:29:07.2555"),
    ("1996-366T00:00:00", "1996-12-31T00:00:00"),
    ("2026-01-01T01:30:00+02:00", "2025-12-31T23:30:00"),
    ("2026-01-01T01:30:00-0230", "2026-01-01T04:00:00"),
    ("2021-03-04 12:00:00.000 +0100", "2021-03-04T11:00:00"),
    ("2026/11/25 13:20:00", "2026-11-25T13:20:00"),
    ("25.11.2026 13:20:00.5", "2026-11-25T13:20:00.5"),
    ("25-Nov-2026 13:20:00.123", "2026-11-25T13:20:00.123"),
    ("1 Jan 2025 00:00:00.000000", "2025-01-01T00:00:00"),
    ("11/25/2026 1:20:00 PM", "2026-11-25T13:20:00"),
    ("2014-05-12 12-34-56_789", "2014-05-12T12:34:56.789"),
    ("20261125T132000.5", "2026-11-25T13:20:00.5"),
    *((word, "NaT") for word in (
        "2026-02-29T00:00", "1900-02-29T00:00", "2026-13-01T00:00", "2026-04-31T00:00", "2026-00-10T00:00", "2025-366T00:00",
        "2026-11-25T24:00", "2026-11-25T13:60", "2026-11-25T13:20:61", "2026-11-25T13:20:00.", "2026-11-25", "2026-11-25T13:20:00x",
        "2026-11-25T13:20:00+2", "2026-11-25T", "2026", "", "26-11-25T13:20:00", "9999-01-01T00:00:00", "25 Foo 2026 13:20:00",
    )),
]  # fmt: skip


@pytest.mark.parametrize(("word", "expected"), DATES)
def test_dates_match_the_calendar(word: str, expected: str) -> None:
    clock = parse_clock([word])
    if expected == "NaT":
        assert clock is None
    else:
        assert clock is not None
        assert clock.nanoseconds[0] == np.datetime64(expected, "ns").astype(np.int64)


def test_consecutive_days_are_consecutive_over_400_years() -> None:
    days = np.arange("1700-01-01", "2200-01-01", dtype="datetime64[D]")
    clock = parse_clock([f"{day}T00:00" for day in days.astype(str).tolist()])
    assert clock is not None
    assert clock.is_known.all()
    np.testing.assert_array_equal(clock.nanoseconds, days.astype("datetime64[ns]").astype(np.int64))


def times(cells: list[str], unit: str = "s") -> FileTimes:
    return read_times(TextColumns(["t"], [cells]), "t", unit)


def test_leap_second_is_counted() -> None:
    shown = [
        "2016-12-31T23:59:59.5Z",
        "2016-12-31T23:59:60.0Z",
        "2016-12-31T23:59:60.5Z",
        "2017-01-01T00:00:00.0Z",
    ]
    assert np.diff(times(shown).seconds) == pytest.approx(0.5, abs=1e-9)
    hidden = times([shown[0], shown[3]])
    assert np.diff(hidden.seconds) == pytest.approx(1.5, abs=1e-9)
    assert any("leap second" in remark for remark in hidden.remarks)
    local = [text.removesuffix("Z") for text in (shown[0], shown[3])]
    assert np.diff(times(local).seconds) == pytest.approx(0.5, abs=1e-9), (
        "a clock that is not UTC may have none"
    )


def test_times_of_day_continue_after_midnight() -> None:
    seconds = times(["23:59:59.5", "00:00:00.0", "00:00:00.5", "", "00:00:01.5"])
    np.testing.assert_allclose(seconds.seconds, [86399.5, 86400.0, 86400.5, np.nan, 86401.5])
    assert any("midnight" in remark for remark in seconds.remarks)
    afternoon = times(["11:59:59 AM", "12:00:00 PM", "1:00:00 PM"])
    np.testing.assert_allclose(np.diff(afternoon.seconds), [1.0, 3600.0])


def test_ambiguous_day_and_month_are_refused() -> None:
    assert parse_clock(["03/04/2026 23:59:59", "04/04/2026 00:00:01"]) is None
    assert parse_clock(["03/04/2026 10:00:00", "03/04/2026 10:00:01"]) is not None
    assert parse_clock(["03/13/2026 23:59:59", "03/14/2026 00:00:01"]) is not None


def test_counts_since_1970_are_subtracted_as_integers() -> None:
    stamps = 1_718_030_736_872_695_301 + 10_000_001 * np.arange(100, dtype=np.int64)
    seconds = read_times({"t": stamps}, "t", "ns")
    np.testing.assert_allclose(np.diff(seconds.seconds), 0.010000001, rtol=0, atol=2e-11)
    decimals = [f"{stamp // 10**9}.{stamp % 10**9:09d}" for stamp in stamps.tolist()]
    np.testing.assert_allclose(np.diff(times(decimals).seconds), 0.010000001, rtol=0, atol=2e-11)


@pytest.mark.parametrize("bits", [16, 32])
def test_wrapped_counter_continues(bits: int) -> None:
    counts = (2**bits - 500 + 10 * np.arange(100)) % 2**bits
    seconds = read_times({"t": counts}, "t", "us")
    np.testing.assert_allclose(np.diff(seconds.seconds), 1e-5)
    assert any("overflows" in remark for remark in seconds.remarks)


def write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "a.csv"
    path.write_text(text)
    return path


@pytest.mark.parametrize("name", ["", "index", "PacketCounter", "frame", "sample", "row"])
def test_row_numbers_are_not_times(tmp_path: Path, name: str) -> None:
    rows = "".join(f"{n},1,0,0,0\n" for n in range(40))
    path = write(tmp_path, f"{name},qw,qx,qy,qz\n{rows}")
    with pytest.raises(qv.InputError, match="a column of times"):
        qv.load_recording(path)
    recording = qv.load_recording(path, time="row number", time_unit="0.01 s")
    np.testing.assert_allclose(recording.t, 0.01 * np.arange(40))


def test_sampling_rate_in_the_header_gives_times(tmp_path: Path) -> None:
    rows = "".join(f"{n},1,0,0,0\n" for n in [*range(10), *range(15, 40)])
    path = write(tmp_path, f"# Sampling rate: 50 Hz\ncounter,qw,qx,qy,qz\n{rows}")
    recording = qv.load_recording(path)
    assert recording.t[9:11].tolist() == pytest.approx([0.18, 0.3]), "packets that were lost are gaps"
    assert any("50 Hz" in remark for remark in recording.remarks)


def test_better_of_two_time_columns_is_used(tmp_path: Path) -> None:
    rounded = [str(round((1718030736.87 + 0.01 * n) * 1e9)) for n in range(40)]
    rows = "".join(f"{stamp},{0.01 * n!r},1,0,0,0\n" for n, stamp in enumerate(rounded))
    recording = qv.load_recording(write(tmp_path, f"time,seconds_elapsed,qw,qx,qy,qz\n{rows}"))
    np.testing.assert_allclose(recording.t, 0.01 * np.arange(40), atol=1e-12)


def test_newest_first_is_reversed_with_a_remark(tmp_path: Path) -> None:
    t = 0.01 * np.arange(40)
    omega = np.stack([np.sin(t), np.cos(t), t], axis=1)
    recording = qv.Recording(t[::-1], omega=omega[::-1])
    np.testing.assert_array_equal(recording.omega, omega)
    assert any("newest row" in remark for remark in recording.remarks)
    rows = "".join(
        f"{a!r},{x!r},{y!r},{z!r}\n"
        for a, (x, y, z) in zip(t[::-1].tolist(), omega[::-1].tolist(), strict=True)
    )
    read = qv.load_recording(write(tmp_path, f"t [s],wx [rad/s],wy [rad/s],wz [rad/s]\n{rows}"))
    np.testing.assert_array_equal(read.omega, omega)
    assert any("newest row" in remark for remark in read.remarks)


def test_unknown_time_format_lists_known_ones(tmp_path: Path) -> None:
    rows = "".join(f"half past {n},1,0,0,0\n" for n in range(40))
    (tmp_path / "a.csv").write_text(f"time,qw,qx,qy,qz\n{rows}")
    with pytest.raises(qv.InputError, match="half past 0"):
        qv.load_recording(tmp_path / "a.csv")
