"""Meaning of column headers, and remarks on what they do not state."""

from pathlib import Path

import numpy as np
import pytest

import quatviz as qv
from quatviz.recordings.column_detection import detect_columns
from quatviz.recordings.headers import parse_header
from quatviz.recordings.loading import load

T = 0.01 * np.arange(50.0)
OMEGA = np.stack([0.3 + 0.1 * np.sin(T), 2.5 + 0.0 * T, 0.2 * np.cos(T)], axis=1)


def table(names: str, *columns: np.ndarray) -> str:
    rows = np.column_stack([T, *columns])
    return names + "\n" + "\n".join(",".join(map(repr, row)) for row in rows.tolist()) + "\n"


def read(tmp_path: Path, text: str, name: str = "a.csv") -> qv.Recording:
    (tmp_path / name).write_text(text, encoding="utf-8")
    return qv.load_recording(tmp_path / name)


@pytest.mark.parametrize(
    "names",
    [
        "gx_dps,gy_dps,gz_dps", "X Gyro(deg/s),Y Gyro(deg/s),Z Gyro(deg/s)", "ω_x / (deg/s),ω_y / (deg/s),ω_z / (deg/s)",
        "roll_rate (deg/s),pitch_rate (deg/s),yaw_rate (deg/s)", "rollspeed [°/s],pitchspeed [°/s],yawspeed [°/s]",
        "omega_x_deg_s,omega_y_deg_s,omega_z_deg_s", "GyroX in deg/s,GyroY in deg/s,GyroZ in deg/s",
        "p [deg/s],q [deg/s],r [deg/s]", "angular velocity x, deg/s;angular velocity y, deg/s;angular velocity z, deg/s",
        "RotationRateX(deg/s),RotationRateY(deg/s),RotationRateZ(deg/s)", "wx/(deg/s),wy/(deg/s),wz/(deg/s)",
        "Drehrate x (deg/s),Drehrate y (deg/s),Drehrate z (deg/s)",
    ],
)  # fmt: skip
def test_headers_give_rates_in_degrees(tmp_path: Path, names: str) -> None:
    text = table(f"t [s],{names}", *np.degrees(OMEGA).T)
    if ";" in names:
        text = text.replace(",", ";").replace("; deg", ", deg")
    np.testing.assert_allclose(read(tmp_path, text).omega, OMEGA, rtol=1e-12)


PLACES_OF_A_UNIT = [
    "Angular velocity (deg/s) {}",
    "Gyroscope(deg/s)_{}",
    "omega[deg/s]_{}",
    "[deg/s] w{}",
    "deg/s gyro {}",
    "gyro_{}_in_deg_per_sec",
    "gyro_{}_degrees_s",
    "w_{}_degs-1",
    "w{}_deg_s",
    "w{}_deg/s",
    "w{} deg/s",
    "w{} - deg/s",
    "gyro.{}.value[deg/s]",
    "gyro {} (°/sec)",
    "gyro_{}_°/s",
    "degps_gyro_{}",
    "dps_{}",
    "deg_per_s_{}",
    "gyro {} (deg/s) mean",
    "gyro {} [deg/s] (raw)",
    "gyro {} (raw, deg/s)",
    "gyro {} [in deg/s]",
    "Gyr_{} (deg/s) - left",
    "omega_{}_degree_per_second",
    "w_deg_s_{}",
    "gyroscope_{}_degree_s",
]
"""Headers with the unit before, within and behind the name."""


@pytest.mark.parametrize("header", PLACES_OF_A_UNIT)
def test_rate_unit_is_found_anywhere_in_the_header(tmp_path: Path, header: str) -> None:
    text = table("t [s];" + ";".join(header.format(axis) for axis in "xyz"), *np.degrees(OMEGA).T)
    head, _, rows = text.partition("\n")
    recording = read(tmp_path, head + "\n" + rows.replace(",", ";"))
    np.testing.assert_allclose(recording.omega, OMEGA, rtol=1e-12)
    assert not [remark for remark in recording.remarks if "assumed" in remark]


@pytest.mark.parametrize(
    "header",
    [
        "gyroDeg{}", "omega_{}_deg", "omega_deg_{}", "w{} (deg/sample)", "w{} (deg per frame)", "w{} [°]", "gyro {} (deg)/s",
        "gyro {} (x 2 deg/s)", "gyrX_deg {}",
    ],
)  # fmt: skip
def test_rates_with_the_unit_of_an_angle_or_an_unclear_one_are_refused(tmp_path: Path, header: str) -> None:
    with pytest.raises(qv.InputError):
        read(tmp_path, table("t [s]," + ",".join(header.format(axis) for axis in "xyz"), *OMEGA.T))


@pytest.mark.parametrize(
    "header",
    [
        "time (in ms)", "time (ms since start)", "timestamp (ms since 1970)", "millisecond", "msecs", "t/ms", "time, ms", "timeMS",
        "ms_since_start", "time [ms] since start", "Time (milliseconds)", "elapsedMillis", "time [1e-3 s]",
    ],
)  # fmt: skip
def test_time_unit_is_found_anywhere_in_the_header(tmp_path: Path, header: str) -> None:
    names = ";".join([header, *(f"w{axis} [rad/s]" for axis in "xyz")])
    rows = np.column_stack([T * 1e3 + 0.25, OMEGA]).tolist()
    recording = read(tmp_path, names + "\n" + "\n".join(";".join(map(repr, row)) for row in rows))
    np.testing.assert_allclose(recording.t, T, atol=1e-12)
    assert not recording.remarks


@pytest.mark.parametrize(
    "header",
    [
        "Time (s*1000)",
        "time [10^-3 s]",
        "time x 1000",
        "time/1ms",
        "T (mS)",
        "Time (MS)",
        "usec/1000",
        "time (milli seconds)",
    ],
)
def test_times_in_an_unclear_unit_are_refused(tmp_path: Path, header: str) -> None:
    names = ",".join([header, *(f"w{axis} [rad/s]" for axis in "xyz")])
    rows = np.column_stack([T * 1e3 + 0.25, OMEGA]).tolist()
    with pytest.raises(qv.InputError, match="not understood"):
        read(tmp_path, names + "\n" + "\n".join(",".join(map(repr, row)) for row in rows))


@pytest.mark.parametrize("header", ["{}°", "{} (deg) filtered", "deg_{}", "[deg] {}", "{} in deg", "{}/°"])
def test_angle_unit_is_found_anywhere_in_the_header(tmp_path: Path, header: str) -> None:
    names = ",".join(["t [s]", *(header.format(name) for name in ("yaw", "pitch", "roll"))])
    read(tmp_path, table(names, *np.degrees(0.1 * OMEGA).T))
    loaded = load(qv.ReadOptions(file="a.csv").in_folder(tmp_path))
    assert (loaded.options.attitude, loaded.options.angle_unit) == ("angles", "deg")
    assert "angle_unit" in loaded.given


@pytest.mark.parametrize(
    ("unit", "scale"),
    [
        ("rpm", 30 / np.pi), ("mrad/s", 1e3), ("Hz", 0.5 / np.pi), ("krpm", 0.03 / np.pi), ("rad/min", 60.0),
        ("deg/day", 86400 * 180 / np.pi),
    ],
)  # fmt: skip
def test_rates_in_other_units(tmp_path: Path, unit: str, scale: float) -> None:
    text = table("time [10 ms]," + ",".join(f"omega_{axis} [{unit}]" for axis in "xyz"), *(scale * OMEGA).T)
    recording = read(tmp_path, text)
    np.testing.assert_allclose(recording.omega, OMEGA, rtol=1e-12)
    np.testing.assert_allclose(recording.t, 0.01 * T, atol=1e-15)


def test_unknown_unit_is_refused(tmp_path: Path) -> None:
    with pytest.raises(qv.InputError):
        read(tmp_path, table("t,wx [LSB],wy [LSB],wz [LSB]", *OMEGA.T))
    quaternions = np.tile([1.0, 0.0, 0.0, 0.0], (50, 1))
    recording = read(tmp_path, table("t,qw,qx,qy,qz,wx [LSB],wy [LSB],wz [LSB]", *quaternions.T, *OMEGA.T))
    assert recording.omega is None
    assert any("LSB" in remark for remark in recording.remarks)


def test_chosen_columns_keep_their_unit(tmp_path: Path) -> None:
    names = [f"gyro_{axis} [deg/s]" for axis in "xyz"] + [f"wheel_{axis} [rpm]" for axis in "xyz"]
    (tmp_path / "a.csv").write_text(
        table("t [s]," + ",".join(names), *np.degrees(OMEGA).T, *(OMEGA * 30 / np.pi).T)
    )
    read = qv.load_recording(tmp_path / "a.csv", rate_columns=names[3:])
    np.testing.assert_allclose(read.omega, OMEGA, rtol=1e-12)
    with pytest.raises(qv.InputError, match="columns of one unit"):
        qv.load_recording(tmp_path / "a.csv", rate_columns=names[1:4])
    mixed = table("t [s],a,b,c," + ",".join(names[:3]), *OMEGA.T, *np.degrees(OMEGA).T)
    (tmp_path / "b.csv").write_text(mixed)
    read = qv.load_recording(tmp_path / "b.csv", rate_columns=["a", "b", "c"])
    np.testing.assert_allclose(read.omega, OMEGA, rtol=1e-12)
    assert any("rad/s" in remark for remark in read.remarks), "which is assumed"


def test_bias_is_not_a_rate_and_matrix_is_not_a_quaternion() -> None:
    columns = {f"b_w_RS_S_{axis} [rad s^-1]": OMEGA[:, 0] for axis in "xyz"}
    assert "rate_columns" not in detect_columns({"t [s]": T, **columns}).options
    matrix = {f"Rot[{number}]": np.full(50, float(number in (0, 4, 8))) for number in range(9)}
    detected = detect_columns({"t [s]": T, **matrix}).options
    assert (detected["attitude"], detected["attitude_columns"]) == ("matrix", tuple(matrix))


def test_g_is_gravity_unless_it_may_be_a_gyroscope() -> None:
    letters = {f"{letter}{axis}": OMEGA[:, 0] for letter in "ag" for axis in "xyz"}
    detected = detect_columns({"t": T, **letters}).options
    assert (detected["rate_columns"], detected["gravity_columns"]) == (("gx", "gy", "gz"), ("ax", "ay", "az"))
    detected = detect_columns({"t": T, **{f"g{axis} [m/s^2]": OMEGA[:, 0] for axis in "xyz"}}).options
    assert "rate_columns" not in detected
    assert detected["gravity_columns"] == ("gx [m/s^2]", "gy [m/s^2]", "gz [m/s^2]")


def test_missing_information_in_a_file_is_reported(tmp_path: Path) -> None:
    recording = read(tmp_path, table("t,wx,wy,wz", *OMEGA.T))
    (remark,) = [remark for remark in recording.remarks if "assumed" in remark]
    assert "the times are in s" in remark
    assert "the angular velocity is in rad/s" in remark
    reported = qv.load_recording(tmp_path / "a.csv", time_unit="s", rate_unit="rad/s")
    assert not [remark for remark in reported.remarks if "assumed" in remark], "and not what a person says"
    loaded = load(qv.ReadOptions(file="a.csv").in_folder(tmp_path))
    assert "rate_unit" not in loaded.given


def test_thousands_separators_are_reported_or_read(tmp_path: Path) -> None:
    rows = "\n".join(f'{t},"1,{n:03d}",0,0' for n, t in enumerate(T.tolist()))
    recording = read(tmp_path, "t [s],wx [rad/s],wy [rad/s],wz [rad/s]\n" + rows)
    assert any("decimal comma" in remark for remark in recording.remarks)
    rows = "\n".join(f'{t},"1,{n:03d}.5",0,0' for n, t in enumerate(T.tolist()))
    assert read_x(tmp_path, rows)[1] == 1001.5


def read_x(tmp_path: Path, rows: str) -> np.ndarray:
    (tmp_path / "x.csv").write_text("t [s],wx [rad/s],wy [rad/s],wz [rad/s]\n" + rows)
    from quatviz.recordings.readers import read_columns

    return read_columns(tmp_path / "x.csv").columns["wx [rad/s]"]


@pytest.mark.parametrize(
    ("name", "stem", "component", "unit"),
    [
        ("q_RS_w []", "q rs", "w", ""), ("Mat[2][3]", "mat", "23", ""), ("Gyroscope x (rad/s)", "gyroscope", "x", "rad/s"),
        ("q_s", "q", "s", ""), ("seconds_elapsed", "seconds elapsed", "", "s"),
        ("Time since start in ms ", "time since start", "", "ms"),
        ("hamilton:omega_2", "omega", "2", ""),
    ],
)  # fmt: skip
def test_header_is_split_into_stem_component_and_unit(
    name: str, stem: str, component: str, unit: str
) -> None:
    header = parse_header(name)
    assert (header.stem, header.component, header.unit_text) == (stem, component, unit)


@pytest.mark.parametrize(
    ("other_columns", "used"),
    [
        ("gyro_raw_{}", "gyro_{}"), ("gyroRaw_{}", "gyro_cal_{}"), ("gyroUnfilt_{}", "gyroADC_{}"),
        ("omega_pred_{}", "omega_meas_{}"), ("gyroUncalibrated_{}", "gyro_{}"),
    ],
)  # fmt: skip
def test_measured_and_calibrated_rates_are_preferred_and_others_reported(
    tmp_path: Path, other_columns: str, used: str
) -> None:
    names = ",".join(form.format(axis) for form in (other_columns, used) for axis in "xyz")
    recording = read(tmp_path, table(f"t [s],{names}", *(200.0 * OMEGA).T, *OMEGA.T))
    np.testing.assert_allclose(recording.omega, OMEGA, rtol=1e-12)
    assert any(
        "has several angular velocities" in remark and other_columns.format("x") in remark
        for remark in recording.remarks
    )


def test_used_attitude_of_several_is_reported(tmp_path: Path) -> None:
    quaternions = np.tile([1.0, 0.0, 0.0, 0.0], (50, 1))
    names = ",".join(f"q_{source}_{letter}" for source in ("true", "est") for letter in "wxyz")
    recording = read(tmp_path, table(f"t [s],{names}", *quaternions.T, *quaternions.T))
    assert any("has several attitudes" in remark for remark in recording.remarks)
    columns = [f"q_est_{letter}" for letter in "wxyz"]
    chosen = qv.load_recording(tmp_path / "a.csv", attitude_columns=columns)
    assert not any("several" in remark for remark in chosen.remarks), "a person has chosen"


@pytest.mark.parametrize("frame", ["rms", "max", "min", "LVLH"])
def test_non_inertial_rates_are_ignored(tmp_path: Path, frame: str) -> None:
    names = ",".join(form.format(axis) for form in (f"omega_{frame}_{{}}", "omega_{}") for axis in "xyz")
    recording = read(tmp_path, table(f"t [s],{names}", *(200.0 * OMEGA).T, *OMEGA.T))
    np.testing.assert_allclose(recording.omega, OMEGA, rtol=1e-12)


@pytest.mark.parametrize("frame", ["lab", "eci", "NED", "world", "J2000"])
def test_rates_in_axes_of_space_need_an_attitude(tmp_path: Path, frame: str) -> None:
    with pytest.raises(qv.InputError, match="attitude"):
        read(
            tmp_path, table("t [s]," + ",".join(f"omega_{frame}_{axis} [rad/s]" for axis in "xyz"), *OMEGA.T)
        )


@pytest.mark.parametrize(
    "header", ["-w{} [rad/s]", "minus_w{} [rad/s]", "1000*w{} [rad/s]", "w{} × 1000 [rad/s]", "−gyro_{}"]
)
def test_sign_or_factor_in_a_name_is_refused(tmp_path: Path, header: str) -> None:
    with pytest.raises(qv.InputError, match="a sign or a factor"):
        read(tmp_path, table("t [s]," + ",".join(header.format(axis) for axis in "xyz"), *OMEGA.T))


@pytest.mark.parametrize(
    ("name", "direction"),
    [
        ("q_eci2body", "space_to_body"), ("q_body2eci", "body_to_space"), ("q inertial to body", "space_to_body"),
        ("att_body_to_ned", "body_to_space"),
    ],
)  # fmt: skip
def test_attitude_direction_in_the_name_is_used(tmp_path: Path, name: str, direction: str) -> None:
    angle = 0.5 * T
    quaternions = np.stack([np.cos(angle), np.sin(angle), 0.0 * T, 0.0 * T], axis=1)
    names = ",".join(f"{name}_{letter}" for letter in "wxyz")
    recording = read(tmp_path, table(f"t [s],{names}", *quaternions.T))
    sign = -1.0 if direction == "space_to_body" else 1.0
    np.testing.assert_allclose(recording.p, quaternions * [1.0, sign, sign, sign], atol=1e-12)
    assert not recording.remarks
