"""Units that a file states outside the headers of its columns are used, or the file is refused."""

from pathlib import Path

import h5py
import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

import quatviz as qv
from quatviz.recordings.loading import load

T = 0.01 * np.arange(50.0)
OMEGA = np.stack([0.3 + 0.1 * np.sin(T), 2.5 + 0.0 * T, 0.2 * np.cos(T)], axis=1)


def write_table(path: Path, lines: str, names: str, *columns: np.ndarray) -> None:
    rows = "\n".join(",".join(map(repr, row)) for row in np.column_stack(columns).tolist())
    path.write_text(f"{lines}\n{names}\n{rows}\n", encoding="utf-8")


@pytest.mark.parametrize(
    "line", ["# gyro in deg/s", "% Units: seconds, °/s", "// Angular velocity [degrees per second]"]
)
def test_unit_in_the_file_header_is_used(tmp_path: Path, line: str) -> None:
    write_table(tmp_path / "a.csv", line, "t [s],gyro_x,gyro_y,gyro_z", T, np.degrees(OMEGA))
    recording = qv.load_recording(tmp_path / "a.csv")
    np.testing.assert_allclose(recording.omega, OMEGA, rtol=1e-12)
    (remark,) = recording.remarks
    assert "stated in the lines before the columns" in remark


@pytest.mark.parametrize(
    "line",
    ["# rate of the reference in rad/s, gyro in deg/s", "# accelerometer in m/s^2", "# sampled at 100 Hz"],
)
def test_other_units_in_the_file_header_are_ignored(tmp_path: Path, line: str) -> None:
    write_table(tmp_path / "a.csv", line, "t [s],gyro_x,gyro_y,gyro_z", T, OMEGA)
    recording = qv.load_recording(tmp_path / "a.csv")
    np.testing.assert_allclose(recording.omega, OMEGA, rtol=1e-12)
    assert any("assumed" in remark for remark in recording.remarks)


@pytest.mark.parametrize("key", ["unit", "units"])
def test_units_in_hdf5_attributes_are_used(tmp_path: Path, key: str) -> None:
    with h5py.File(tmp_path / "a.h5", "w") as file:
        file.create_dataset("time", data=1e3 * T).attrs[key] = "milliseconds since 2026-11-25 12:00:00"
        file.create_dataset("gyro", data=np.degrees(OMEGA)).attrs[key] = np.bytes_(b"deg/s")
    recording = qv.load_recording(tmp_path / "a.h5")
    np.testing.assert_allclose(recording.omega, OMEGA, rtol=1e-12)
    np.testing.assert_allclose(recording.t, T, atol=1e-12)
    assert not recording.remarks


def test_rates_with_an_unknown_unit_in_hdf5_are_refused(tmp_path: Path) -> None:
    with h5py.File(tmp_path / "a.h5", "w") as file:
        file.create_dataset("time", data=T)
        file.create_dataset("gyro", data=OMEGA).attrs["units"] = "LSB"
    with pytest.raises(qv.InputError, match="LSB"):
        qv.load_recording(tmp_path / "a.h5")


def test_units_in_parquet_metadata_are_used(tmp_path: Path) -> None:
    fields = [pa.field("t", pa.float64(), metadata={"unit": "us"})]
    fields += [pa.field(f"gyro_{axis}", pa.float64(), metadata={"units": "rpm"}) for axis in "xyz"]
    columns = [pa.array(values) for values in (1e6 * T, *(30.0 / np.pi * OMEGA).T)]
    parquet.write_table(pa.Table.from_arrays(columns, schema=pa.schema(fields)), tmp_path / "a.parquet")
    recording = qv.load_recording(tmp_path / "a.parquet")
    np.testing.assert_allclose(recording.omega, OMEGA, rtol=1e-12)
    np.testing.assert_allclose(recording.t, T, atol=1e-12)


def test_unit_next_to_each_time_is_used(tmp_path: Path) -> None:
    rows = "\n".join(
        f"{1e3 * t:g} ms,{w[0]},{w[1]},{w[2]}" for t, w in zip(T.tolist(), OMEGA.tolist(), strict=True)
    )
    (tmp_path / "a.csv").write_text("Time,omega_1 [rad/s],omega_2 [rad/s],omega_3 [rad/s]\n" + rows)
    recording = qv.load_recording(tmp_path / "a.csv")
    np.testing.assert_allclose(recording.t, T, atol=1e-12)
    (tmp_path / "a.csv").write_text(
        "Time,omega_1 [rad/s],omega_2 [rad/s],omega_3 [rad/s]\n" + rows.replace("ms", "blinks")
    )
    with pytest.raises(qv.InputError, match="not understood"):
        qv.load_recording(tmp_path / "a.csv")


def test_seconds_and_nanoseconds_in_two_columns_are_one_time(tmp_path: Path) -> None:
    nanoseconds = 1_764_076_800 * 10**9 + np.round(1e9 * T).astype(np.int64)
    head = "header.stamp.secs,header.stamp.nsecs,angular_velocity.x,angular_velocity.y,angular_velocity.z\n"
    rows = "".join(
        f"{n // 10**9},{n % 10**9},{w[0]},{w[1]},{w[2]}\n"
        for n, w in zip(nanoseconds.tolist(), OMEGA.tolist(), strict=True)
    )
    (tmp_path / "a.csv").write_text(head + rows)
    recording = qv.load_recording(tmp_path / "a.csv")
    np.testing.assert_allclose(recording.t, T, atol=1e-9)
    np.testing.assert_allclose(recording.omega, OMEGA, rtol=1e-12)


@pytest.mark.parametrize(
    ("name", "values", "unit"),
    [
        ("t", 10.0 * np.arange(50), "ms"), ("timestamp", 1_764_076_800 + T, "s"),
        ("timestamp", 1_764_076_800 * 10**9 + np.round(1e9 * T).astype(np.int64), "ns"),
    ],
)  # fmt: skip
def test_assumed_time_unit_is_always_reported(
    tmp_path: Path, name: str, values: np.ndarray, unit: str
) -> None:
    text = f"{name},wx [rad/s],wy [rad/s],wz [rad/s]\n"
    text += "".join(
        f"{t!r},{w[0]},{w[1]},{w[2]}\n" for t, w in zip(values.tolist(), OMEGA.tolist(), strict=True)
    )
    (tmp_path / "a.csv").write_text(text)
    loaded = load(qv.ReadOptions(file="a.csv").in_folder(tmp_path))
    np.testing.assert_allclose(loaded.recording.t, T, atol=1e-6)
    assert "time_unit" not in loaded.given
    assert any(f"the times are in {unit}" in str(remark) for remark in loaded.recording.remarks)


@pytest.mark.parametrize("name", ["MJD", "JD (UTC)", "Julian date"])
def test_day_numbers_are_read_as_days(tmp_path: Path, name: str) -> None:
    text = f"{name},wx [rad/s],wy [rad/s],wz [rad/s]\n"
    text += "".join(
        f"{61000.5 + t / 86400:.12f},{w[0]},{w[1]},{w[2]}\n"
        for t, w in zip(T.tolist(), OMEGA.tolist(), strict=True)
    )
    (tmp_path / "a.csv").write_text(text)
    recording = qv.load_recording(tmp_path / "a.csv")
    np.testing.assert_allclose(recording.t, T, atol=2e-6)
    assert not recording.remarks


def test_gps_seconds_are_times_but_weeks_are_not(tmp_path: Path) -> None:
    write_table(
        tmp_path / "a.csv",
        "",
        "GPS Week,GPS TOW (s),gyro_x (rad/s),gyro_y (rad/s),gyro_z (rad/s)",
        0 * T + 2394,
        220800 + T,
        OMEGA,
    )
    loaded = load(qv.ReadOptions(file="a.csv").in_folder(tmp_path))
    assert loaded.options.time == "GPS TOW (s)"
    np.testing.assert_allclose(loaded.recording.omega, OMEGA, rtol=1e-12)


def test_rostopic_and_shimmer_columns_are_recognized(tmp_path: Path) -> None:
    names = (
        "%time,field.header.seq,field.angular_velocity.x,field.angular_velocity.y,field.angular_velocity.z"
    )
    stamps = 1_764_076_800 * 10**9 + np.round(1e9 * T).astype(np.int64)
    rows = "".join(
        f"{n},{k},{w[0]},{w[1]},{w[2]}\n"
        for k, (n, w) in enumerate(zip(stamps.tolist(), OMEGA.tolist(), strict=True))
    )
    (tmp_path / "a.csv").write_text(f"{names}\n{rows}")
    np.testing.assert_allclose(qv.load_recording(tmp_path / "a.csv").omega, OMEGA, rtol=1e-12)
    names = "\t".join(
        [
            "S_Timestamp_Unix_CAL",
            *(f"S_{sensor}_{axis}_CAL" for sensor in ("Gyro", "Accel_LN") for axis in "XYZ"),
        ]
    )
    units = "\t".join(["ms", *["deg/s"] * 3, *["m/(s^2)"] * 3])
    rows = "".join(
        "\t".join(map(repr, row)) + "\t\n"
        for row in np.column_stack([1e3 * T, np.degrees(OMEGA), OMEGA]).tolist()
    )
    (tmp_path / "b.csv").write_text(f"sep=\t\n{names}\n{units}\t\n{rows}")
    recording = qv.load_recording(tmp_path / "b.csv")
    np.testing.assert_allclose(recording.omega, OMEGA, rtol=1e-12)
    np.testing.assert_allclose(recording.t, T, atol=1e-12)
