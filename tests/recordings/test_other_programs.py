"""Files of further programs with one known motion: each is read as that motion or refused."""

import struct
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import quatviz as qv
from quatviz.physics.exact import solve
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.rotations import conjugate, multiply, relative_angle
from quatviz.recordings.importing import propose_import
from quatviz.recordings.loading import load

T = 0.01 * np.arange(201)
P, OMEGA = solve(
    Body(inertia=[1.0, 2.0, 2.6]), [], np.array([0.8, 0.2, -0.4, 0.4]), np.array([0.3, 2.5, 0.2])
).evaluate(T)
ROTATION = Rotation.from_quat(P[:, [1, 2, 3, 0]])
MATRIX = ROTATION.as_matrix()
YAW_PITCH_ROLL = ROTATION.as_euler("ZYX", degrees=True)
START = 1_764_076_800
"""2025-11-25 13:20 UTC [s since 1970]."""
DEGREES = np.degrees(OMEGA)
ZERO = 0.0 * T
ROW = np.arange(len(T))
NANOSECONDS = START * 10**9 + np.round(1e9 * T).astype(np.int64)
MILLISECONDS = np.round(1e3 * T).astype(np.int64)
STAMPS = [datetime(2025, 11, 25, 13, 20) + timedelta(milliseconds=int(n)) for n in MILLISECONDS]


def table(header: str, *columns: Sequence[object] | np.ndarray, separator: str = ",", end: str = "\n") -> str:
    """Return rows below a header. Columns of several components are spread."""
    spread: list[list[str]] = []
    for column in columns:
        values = np.asarray(column)
        for single in np.atleast_2d(values.T):
            spread.append([text if isinstance(text, str) else repr(text) for text in single.tolist()])
    return header + "\n" + "".join(separator.join(row) + end for row in zip(*spread, strict=True))


def stamps(form: str) -> list[str]:
    return [stamp.strftime(form) for stamp in STAMPS]


def labview_files() -> dict[str, str]:
    """Return LabVIEW measurement files with one, no, or several columns of times, or a decimal comma."""
    head = (
        "LabVIEW Measurement\t\nWriter_Version\t2\nSeparator\tTab\nDecimal_Separator\t.\nX_Columns\tOne\nTime_Pref\tRelative\n"
        "***End_of_Header***\t\n\t\nChannels\t3\t\t\t\nSamples\t201\t201\t201\t\nY_Unit_Label\tdeg/s\tdeg/s\tdeg/s\t\n"
        "X_Dimension\tTime\tTime\tTime\t\nX0\t0.0\t0.0\t0.0\t\nDelta_X\t0.010000\t0.010000\t0.010000\t\n***End_of_Header***\t\t\t\t\n"
    )
    single = head + table("X_Value\tGyro_X\tGyro_Y\tGyro_Z\tComment", T, DEGREES, separator="\t")
    without = table("X_Value\tGyro_X\tGyro_Y\tGyro_Z\tComment", [""] * len(T), DEGREES, separator="\t")
    multi = table(
        "X_Value\tGyro_X\tX_Value\tGyro_Y\tX_Value\tGyro_Z\tComment",
        *(column for axis in DEGREES.T for column in (T, axis)),
        separator="\t",
    )
    return {
        "one": single,
        "comma": single.replace(".", ","),
        "none": head.replace("X_Columns\tOne", "X_Columns\tNo") + without,
        "several": head.replace("X_Columns\tOne", "X_Columns\tMulti") + multi,
    }


READ = {
    # file name: text, what is read
    "lpms.csv": (table(
        "SensorId, TimeStamp (s), FrameNumber, AccX (g), AccY (g), AccZ (g), GyroX (deg/s), GyroY (deg/s), GyroZ (deg/s), "
        "MagX (uT), MagY (uT), MagZ (uT), QuatW, QuatX, QuatY, QuatZ", ROW * 0 + 1, T, ROW, MATRIX[:, 2], DEGREES, MATRIX[:, 0], P,
        separator=", "), "both"),
    "witmotion.txt": (table(
        "time\tDeviceName\tChip Time()\tAcceleration X(g)\tAcceleration Y(g)\tAcceleration Z(g)\tAngular velocity X(°/s)\t"
        "Angular velocity Y(°/s)\tAngular velocity Z(°/s)\tAngle X(°)\tAngle Y(°)\tAngle Z(°)\tQuaternions 0()\tQuaternions 1()\t"
        "Quaternions 2()\tQuaternions 3()", stamps("%H:%M:%S.%f"), ["WT901"] * len(T), stamps("%Y-%m-%d %H:%M:%S.%f"),
        MATRIX[:, 2], DEGREES, YAW_PITCH_ROLL[:, ::-1], P, separator="\t"), "both"),
    "MetaWear_C8_Gyroscope_100.000Hz.csv": (table(
        "epoc (ms),timestamp (+0000),elapsed (s),x-axis (deg/s),y-axis (deg/s),z-axis (deg/s)", START * 1000 + MILLISECONDS,
        stamps("%Y-%m-%dT%H:%M:%S.%f"), T, DEGREES), "rates"),
    "bagpy.csv": (table(
        "Time,header.seq,header.stamp.secs,header.stamp.nsecs,header.frame_id,orientation.x,orientation.y,orientation.z,"
        "orientation.w,angular_velocity.x,angular_velocity.y,angular_velocity.z", START + T, ROW, NANOSECONDS // 10**9,
        NANOSECONDS % 10**9, ["imu"] * len(T), P[:, [1, 2, 3, 0]], OMEGA), "both"),
    "plotjuggler.csv": (table(
        "__time,/imu/angular_velocity/x,/imu/angular_velocity/y,/imu/angular_velocity/z,/imu/orientation/w,/imu/orientation/x,"
        "/imu/orientation/y,/imu/orientation/z", START + T, OMEGA, P), "both"),
    "gopro.csv": (table(
        '"cts","date","Gyroscope (z) [rad/s]","Gyroscope (x) [rad/s]","Gyroscope (y) [rad/s]"', 1e3 * T,
        stamps("%Y-%m-%dT%H:%M:%S.%fZ"), OMEGA[:, [2, 0, 1]]), "rates"),
    "gyroscope_sensor_kinetics.csv": (table("time,X_value,Y_value,Z_value", T, OMEGA), "rates"),
    "vectornav.csv": (table(
        "TimeStartup (ns),Quat.X,Quat.Y,Quat.Z,Quat.S,AngularRate.X (rad/s),AngularRate.Y (rad/s),AngularRate.Z (rad/s)",
        MILLISECONDS * 10**6, conjugate(P)[:, [1, 2, 3, 0]], OMEGA), "both"),
    "microstrain.csv": ("DATA_START\n" + table(
        "Time,6254.12345:scaledGyroX,6254.12345:scaledGyroY,6254.12345:scaledGyroZ", stamps("%m/%d/%Y %H:%M:%S.%f"), OMEGA),
        "rates"),
    "arduino.txt": (table("Time(ms)\tGyroX(dps)\tGyroY(dps)\tGyroZ(dps)", MILLISECONDS, DEGREES, separator="\t"), "rates"),
    "adams.txt": (table("Time\tomega_x (deg/sec)\tomega_y (deg/sec)\tomega_z (deg/sec)", T, DEGREES, separator="\t"), "rates"),
    "excel.csv": (table(
        "Zeit [ms];Drehrate X [°/s];Drehrate Y [°/s];Drehrate Z [°/s]", 1e3 * T, DEGREES, separator=";").replace(".", ","),
        "rates"),
    "basilisk.csv": (table(
        "time [ns],sigma_BN_1,sigma_BN_2,sigma_BN_3,omega_BN_B_1,omega_BN_B_2,omega_BN_B_3",
        MILLISECONDS * 10**6, ROTATION.as_mrp(), OMEGA), "rates"),
    "matlab.csv": (table("Time,omega_1,omega_2,omega_3", [f"{t:g} sec" for t in T.tolist()], OMEGA), "rates"),
    "rostopic.csv": (table(
        "%time,field.header.seq,field.orientation.x,field.orientation.y,field.orientation.z,field.orientation.w,"
        "field.orientation_covariance0,field.angular_velocity.x,field.angular_velocity.y,field.angular_velocity.z,"
        "field.angular_velocity_covariance0,field.linear_acceleration.x", NANOSECONDS, ROW, P[:, [1, 2, 3, 0]], ZERO, OMEGA, ZERO,
        MATRIX[:, 2, 0]), "both"),
    "two_sensors.csv": (table(
        "t [s],imu1_gx [deg/s],imu1_gy [deg/s],imu1_gz [deg/s],imu2_gx [rad/s],imu2_gy [rad/s],imu2_gz [rad/s]", T, DEGREES, OMEGA),
        "rates"),
    "aerospace.csv": (table("t [s],phi [deg],theta [deg],psi [deg]", T, YAW_PITCH_ROLL[:, ::-1]), "attitude"),
    "aerospace_bare.csv": (table("t,phi,theta,psi", T, np.radians(YAW_PITCH_ROLL[:, ::-1])), "attitude"),
    "a.tab": (table("t [s]\tqw\tqx\tqy\tqz", T, P, separator="\t"), "attitude"),
    "bno085.csv": (table("Time(ms),Qr,Qi,Qj,Qk", MILLISECONDS, P), "attitude"),
    "real_last.csv": (table("time_ms,quat_i,quat_j,quat_k,quat_real,gyro_x_dps,gyro_y_dps,gyro_z_dps", MILLISECONDS,
        P[:, [1, 2, 3, 0]], DEGREES), "both"),
    "french.csv": (table(
        "Temps (s);Vitesse angulaire X (rad/s);Vitesse angulaire Y (rad/s);Vitesse angulaire Z (rad/s)", T, OMEGA, separator=";"
        ).replace(".", ","), "rates"),
    "time_by_unit.csv": (table("X[s],Gyro X [deg/s],Gyro Y [deg/s],Gyro Z [deg/s]", T, DEGREES), "rates"),
    "seconds_of_week.csv": (table("sow(sec),roll(deg),pitch(deg),yaw(deg)", T + 300_000, YAW_PITCH_ROLL[:, ::-1]), "attitude"),
    "sbg.txt": (
        "UTC Time\tRoll\tPitch\tYaw\tGyro X\tGyro Y\tGyro Z\n" + table("(HH:mm:ss.zzz)\t(°)\t(°)\t(°)\t(°/s)\t(°/s)\t(°/s)",
            stamps("%H:%M:%S.%f"), YAW_PITCH_ROLL[:, ::-1], DEGREES, separator="\t"), "both"),
    "motive_3.csv": (
        "Format Version,1.25,Capture Frame Rate,100.000000,Rotation Type,Quaternion,Coordinate Space,Global\n\n"
        ",Type" + ",Rigid Body" * 8 + "\n,Name" + ",box" * 8 + "\n,ID" + ',"1"' * 8 + "\n,Parent" + "," * 8 + "\n"
        ",,Rotation,Rotation,Rotation,Rotation,Position,Position,Position,Mean Marker Error\n"
        + table("Frame,Time (Seconds),X,Y,Z,W,X,Y,Z,", ROW, T, P[:, [1, 2, 3, 0]], np.zeros((len(T), 4))), "attitude"),
    "qualisys_named.tsv": ("NO_OF_FRAMES\t201\nFREQUENCY\t100\nBODY_NAMES\tbox\n" + table(
        "Frame\tTime\tbox X\tbox Y\tbox Z\tbox Roll\tbox Pitch\tbox Yaw\tbox Residual\t"
        + "\t".join(f"box Rot[{n}]" for n in range(9)),
        ROW + 1, T, np.zeros((len(T), 3)), YAW_PITCH_ROLL[:, ::-1], ZERO, np.swapaxes(MATRIX, 1, 2).reshape(-1, 9), separator="\t"),
        "attitude"),
    "qualisys_without_time.tsv": ("NO_OF_FRAMES\t201\nNO_OF_BODIES\t1\nFREQUENCY\t100\n" + table(
        "X\tY\tZ\tResidual\t" + "\t".join(f"Rot[{n}]" for n in range(9)), np.zeros((len(T), 4)),
        np.swapaxes(MATRIX, 1, 2).reshape(-1, 9), separator="\t"), "attitude"),
    "gmat_matrix.txt": (table("   ".join(["Sat.ElapsedSecs", *(f"Sat.DCM{i}{j}" for i in "123" for j in "123")]), T,
        np.swapaxes(MATRIX, 1, 2).reshape(-1, 9), separator="   "), "attitude"),
    "gmat_angles.txt": (table("Sat.ElapsedSecs   Sat.EulerAngle1   Sat.EulerAngle2   Sat.EulerAngle3", T, YAW_PITCH_ROLL,
        separator="   "), "attitude"),
    "x-imu3_angles.csv": (table("Timestamp (us),Roll (deg),Pitch (deg),Yaw (deg)", 1000 * MILLISECONDS, YAW_PITCH_ROLL[:, ::-1]),
        "attitude"),
    "ardupilot_AHR2.csv": (table("TimeUS,Roll,Pitch,Yaw,Alt,Lat,Lng,Q1,Q2,Q3,Q4", 1000 * MILLISECONDS, YAW_PITCH_ROLL[:, ::-1],
        np.zeros((len(T), 3)), P), "attitude"),
    "ardupilot_RATE.csv": (table("timestamp,TimeUS,RDes,R,ROut,PDes,P,POut,YDes,Y,YOut", START + T, 1000 * MILLISECONDS, ZERO,
        DEGREES[:, 0], ZERO, ZERO, DEGREES[:, 1], ZERO, ZERO, DEGREES[:, 2], ZERO), "rates"),
    "log_vehicle_rates_setpoint_0.csv": (table("timestamp,roll,pitch,yaw,thrust_body[0],thrust_body[1],thrust_body[2]",
        1000 * MILLISECONDS, OMEGA, np.zeros((len(T), 3))), "rates"),
    "picoquake.csv": ("# PLab PicoQuake Data\n# Config: data_rate = 100.0 Hz, filter = 488 Hz, gyro_range = 250.0 dps\n" + table(
        "count,a_x,a_y,a_z,g_x,g_y,g_z", ROW + 1, MATRIX[:, 2], DEGREES), "rates"),
    **{f"labview_{name}.lvm": (text, "rates") for name, text in labview_files().items()},
}  # fmt: skip


@pytest.mark.parametrize("name", READ)
def test_file_is_read_in_the_convention_of_its_program(tmp_path: Path, name: str) -> None:
    text, contents = READ[name]
    (tmp_path / name).write_text(text, encoding="utf-8")
    recording = propose_import(qv.ReadOptions(file=name).in_folder(tmp_path)).loaded.recording
    np.testing.assert_allclose(recording.t - recording.t[0], T, atol=2e-6)
    if contents in ("rates", "both"):
        np.testing.assert_allclose(recording.omega, OMEGA, atol=1e-6)
    if contents == "attitude":
        assert recording.omega is None
    if contents in ("attitude", "both"):
        turn = multiply(recording.p, conjugate(P))
        assert relative_angle(turn, turn[0]).max() < 1e-6


NOT_READ = {
    "datcon.csv": table(
        "Clock:Tick#,Clock:offsetTime,IMU_ATTI(0):gyroX:C,IMU_ATTI(0):gyroY:C,IMU_ATTI(0):gyroZ:C", ROW * 45000, T, DEGREES),
    "gopro_numbered.csv": table('"cts","date","Gyroscope [rad/s]","1","2"', 1e3 * T, stamps("%Y-%m-%dT%H:%M:%S.%fZ"), OMEGA),
    "steps_of_time.csv": table("dt,gyro_x,gyro_y,gyro_z", 0.01 + ZERO, OMEGA),
    "rotation_per_row.csv": table("time (s),delta_angle_x (rad),delta_angle_y (rad),delta_angle_z (rad)", T, 0.01 * OMEGA),
    "integer_quaternion.csv": table("millis,qw,qx,qy,qz", MILLISECONDS, np.round(16384 * P).astype(int)),
    "counts.csv": table("millis,gx,gy,gz", MILLISECONDS, np.round(16.4 * DEGREES).astype(int)),
    "mixed_units.csv": table("t [s],wx [deg/s],wy [rad/s],wz [rad/s]", T, DEGREES[:, 0], OMEGA[:, 1:]),
    "vicon.csv": "Segments\n100\n,,Box:Box,,,,,\n" + table(
        "Frame,Sub Frame,RX,RY,RZ,TX,TY,TZ\n,,rad,rad,rad,mm,mm,mm", ROW + 1, ROW * 0, ROTATION.as_rotvec(), np.zeros((len(T), 3))),
    "ndi.csv": "Number of frames: 201\nFrequency: 100.000\n\n" + table("Frame,Body Q0,Body Qx,Body Qy,Body Qz", ROW + 1, P),
    "rodrigues.csv": table("time [s],mrp_x,mrp_y,mrp_z", T, ROTATION.as_mrp()),
    "axis_and_angle.csv": table("t,axis_x,axis_y,axis_z,angle", T, ROTATION.as_rotvec(), ZERO),
    "log_vehicle_acceleration_0.csv": table(
        "timestamp,timestamp_sample,xyz[0],xyz[1],xyz[2]", MILLISECONDS, MILLISECONDS, MATRIX[:, 2]),
    "log_vehicle_torque_setpoint_0.csv": table(
        "timestamp,timestamp_sample,xyz[0],xyz[1],xyz[2]", MILLISECONDS, MILLISECONDS, 0.1 * OMEGA),
    "increments.txt": "// Update Rate: 100.0Hz\n" + table(
        "PacketCounter\tSampleTimeFine\tOriInc_q0\tOriInc_q1\tOriInc_q2\tOriInc_q3", ROW, 10 * MILLISECONDS,
        np.sqrt(1.0 - OMEGA**2 @ np.full(3, 2.5e-5)), 0.005 * OMEGA, separator="\t"),
    "matlab_Orientation.csv": table("Timestamp,X,Y,Z", stamps("%d-%b-%Y %H:%M:%S.%f"), YAW_PITCH_ROLL),
    "shimmer_raw.csv": "time\tGyro_X_RAW\tGyro_Y_RAW\tGyro_Z_RAW\n" + table(
        "ms\tno_units\tno_units\tno_units", MILLISECONDS, np.round(65.5 * DEGREES).astype(int), separator="\t"),
    "ticks.csv": table("ticks,gyro_x,gyro_y,gyro_z", ROW * 10, OMEGA),
}  # fmt: skip
"""Files that do not say what their numbers are, or hold something that is neither an attitude nor a rate."""


@pytest.mark.parametrize("name", NOT_READ)
def test_ambiguous_file_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(NOT_READ[name], encoding="utf-8")
    with pytest.raises(qv.InputError):
        qv.load_recording(tmp_path / name)


def test_demanded_rate_is_reported(tmp_path: Path) -> None:
    name = "log_vehicle_rates_setpoint_0.csv"
    (tmp_path / name).write_text(READ[name][0])
    assert any("demands" in remark for remark in qv.load_recording(tmp_path / name).remarks)


def test_headers_of_another_program_do_not_name_it(tmp_path: Path) -> None:
    path = tmp_path / "sensors.csv"
    path.write_text(table("Time (s),Gyroscope X (deg/s),Gyroscope Y (deg/s),Gyroscope Z (deg/s)", T, DEGREES))
    assert propose_import(qv.ReadOptions(file=path.name).in_folder(tmp_path)).loaded.file_columns.writer == ""


def test_further_segments_of_a_labview_file_are_reported(tmp_path: Path) -> None:
    text = labview_files()["one"]
    segment = text[text.index("Channels") :]
    (tmp_path / "a.lvm").write_text(text + "\n" + segment)
    recording = qv.load_recording(tmp_path / "a.lvm")
    assert len(recording) == len(T)
    assert any("first segment" in remark for remark in recording.remarks)


def test_numbers_of_sensors_in_a_header_are_not_rows(tmp_path: Path) -> None:
    """A line of texts between rows of numbers, such as a row of missing values, does not move the first row."""
    rows = table("t [s],gyro_x [rad/s],gyro_y [rad/s],gyro_z [rad/s]", T, OMEGA).splitlines()
    rows[3] = "0.02,nan,nan,nan"
    (tmp_path / "a.csv").write_text("\n".join(rows))
    assert len(qv.load_recording(tmp_path / "a.csv")) >= len(T) - 1


def binary_format(number: int, length: int, name: str, letters: str, columns: str) -> bytes:
    return b"\xa3\x95\x80" + struct.pack(
        "<BB4s16s64s", number, length, name.encode(), letters.encode(), columns.encode()
    )


def ardupilot_binary() -> bytes:
    """Return a log of two gyroscopes, of which the second has an offset, and of angles in hundredths of a degree."""
    imu, att = "TimeUS,I,GyrX,GyrY,GyrZ", "TimeUS,DesRoll,Roll,DesPitch,Pitch,DesYaw,Yaw"
    parts = [
        binary_format(128, 89, "FMT", "BBnNZ", "Type,Length,Name,Format,Columns"),
        binary_format(133, 24, "IMU", "QBfff", imu),
        binary_format(160, 23, "ATT", "QccccCC", att),
    ]
    hundredths = np.round(100.0 * YAW_PITCH_ROLL[:, ::-1]).astype(int)
    for stamp, omega, (roll, pitch, yaw) in zip(
        (1000 * MILLISECONDS).tolist(), OMEGA, hundredths.tolist(), strict=True
    ):
        parts += [
            b"\xa3\x95\x85" + struct.pack("<QB3f", stamp, sensor, *(omega + 0.5 * sensor))
            for sensor in (0, 1)
        ]
        parts.append(b"\xa3\x95\xa0" + struct.pack("<QhhhhHH", stamp, 0, roll, 0, pitch, 0, yaw % 36_000))
    return b"".join(parts)


def ardupilot_text() -> str:
    lines = ["FMT, 128, 89, FMT, BBnNZ, Type,Length,Name,Format,Columns", "PARM, 1000, SYSID_THISMAV, 1"]
    lines += [
        "FMT, 133, 24, IMU, QBfff, TimeUS,I,GyrX,GyrY,GyrZ",
        "FMT, 160, 23, ATT, QccccCC, TimeUS,DesRoll,Roll,DesPitch,Pitch,DesYaw,Yaw",
    ]
    for stamp, omega, (yaw, pitch, roll) in zip(
        (1000 * MILLISECONDS).tolist(), OMEGA, YAW_PITCH_ROLL.tolist(), strict=True
    ):
        lines += [
            f"IMU, {stamp}, {sensor}, " + ", ".join(map(repr, (omega + 0.5 * sensor).tolist()))
            for sensor in (0, 1)
        ]
        lines.append(f"ATT, {stamp}, 0, {roll!r}, 0, {pitch!r}, 0, {yaw % 360.0!r}")
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("name", ["log.bin", "log.log", "log.txt"])
def test_messages_of_an_ardupilot_log_are_parts_by_sensor(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(ardupilot_binary() if name.endswith("bin") else ardupilot_text().encode())
    read = {
        part: load(qv.ReadOptions(file=name, part=part).in_folder(tmp_path))
        for part in (None, "IMU[1]", "ATT")
    }
    assert read[None].file_columns.parts == ("IMU[0]", "IMU[1]", "ATT")
    np.testing.assert_allclose(read[None].recording.t, T, atol=1e-9)
    np.testing.assert_allclose(read[None].recording.omega, OMEGA, atol=1e-6)
    np.testing.assert_allclose(read["IMU[1]"].recording.omega, OMEGA + 0.5, atol=1e-6)
    turn = multiply(read["ATT"].recording.p, conjugate(P))
    assert relative_angle(turn, turn[0]).max() < 1e-3
    assert not read[None].recording.remarks


def test_damaged_bytes_of_an_ardupilot_log_are_skipped(tmp_path: Path) -> None:
    data = bytearray(ardupilot_binary())
    data[3000:3040] = bytes(40)
    (tmp_path / "a.bin").write_bytes(data)
    recording = qv.load_recording(tmp_path / "a.bin")
    assert len(T) - 3 <= len(recording) < len(T)
    np.testing.assert_allclose(recording.omega, OMEGA[np.round(100.0 * recording.t).astype(int)], atol=1e-6)


def test_binary_file_without_attitudes_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.bin").write_bytes(b"\xa3\x95\x80" + bytes(200))
    with pytest.raises(qv.InputError, match="messages IMU"):
        qv.load_recording(tmp_path / "a.bin")
