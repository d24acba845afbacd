"""Files of further programs with one known motion are read as that motion, or refused; nothing is read wrongly in silence."""

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
}  # fmt: skip


@pytest.mark.parametrize("name", READ)
def test_a_file_is_read_as_its_program_means_it(tmp_path: Path, name: str) -> None:
    text, contents = READ[name]
    (tmp_path / name).write_text(text, encoding="utf-8")
    recording = propose_import(qv.ReadOptions(file=name).in_folder(tmp_path)).loaded.recording
    np.testing.assert_allclose(recording.t - recording.t[0], T, atol=2e-6)
    if contents in ("rates", "both"):
        np.testing.assert_allclose(recording.omega, OMEGA, atol=1e-6)
    if contents == "both":
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
    "ticks.csv": table("ticks,gyro_x,gyro_y,gyro_z", ROW * 10, OMEGA),
}  # fmt: skip
"""Files that do not say what their numbers are, or hold something that is neither an attitude nor a rate."""


@pytest.mark.parametrize("name", NOT_READ)
def test_a_file_that_leaves_its_meaning_open_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(NOT_READ[name], encoding="utf-8")
    with pytest.raises(qv.InputError):
        qv.load_recording(tmp_path / name)
