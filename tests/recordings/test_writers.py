"""Files as other programs write them, of one known motion: each is recognized and read correctly."""

import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rosbags.rosbag1 import Writer as Bag1
from rosbags.rosbag2 import StoragePlugin
from rosbags.rosbag2 import Writer as Bag2
from rosbags.typesys import Stores, get_typestore
from scipy.spatial.transform import Rotation

import quatviz as qv
from quatviz.physics.exact import solve
from quatviz.physics.mechanics.body import Body
from quatviz.physics.mechanics.euler_sequences import angles_from_p
from quatviz.physics.mechanics.rotations import conjugate, multiply, orientation_matrix, relative_angle
from quatviz.recordings.loading import load
from quatviz.recordings.writers import writers

T = 0.01 * np.arange(301)
P, OMEGA = solve(
    Body(inertia=[1.0, 2.0, 2.6]), [], np.array([0.8, 0.2, -0.4, 0.4]), np.array([0.3, 2.5, 0.2])
).evaluate(T)
A = orientation_matrix(P)
YPR = angles_from_p(P, "321")


def table(
    header: str, *columns: np.ndarray, separator: str = ",", form: Callable[[float], str] = repr
) -> str:
    rows = np.column_stack(columns).tolist()
    return header + "\n" + "".join(separator.join(map(form, row)) + "\n" for row in rows)


def counts(scale: float, start: int = 0) -> np.ndarray:
    return start + np.round(T * scale).astype(np.int64)


def xsens() -> str:
    matrix = [A[:, i, j] for j in range(3) for i in range(3)]
    names = "\t".join(f"Mat[{i}][{j}]" for j in (1, 2, 3) for i in (1, 2, 3))
    head = f"// Start Time: Unknown\n// Update Rate: 100.0Hz\nPacketCounter\tSampleTimeFine\tGyr_X\tGyr_Y\tGyr_Z\t{names}\n"
    rows = np.column_stack([*OMEGA.T, *matrix]).tolist()
    packets = (65400 + np.arange(len(T))) % 65536
    return head + "".join(
        f"{n:05d}\t\t" + "\t".join(map(repr, row)) + "\n" for n, row in zip(packets, rows, strict=True)
    )


def dot() -> str:
    head = "DeviceTag:,dot\nFirmwareVersion:,2.0.0\nOutputRate:,100Hz\n"
    head += "PacketCounter,SampleTimeFine,Quat_W,Quat_X,Quat_Y,Quat_Z,Gyr_X,Gyr_Y,Gyr_Z"
    stamps = (2**32 - 1_000_000 + counts(1e6)) % 2**32
    rows = zip(range(len(T)), stamps.tolist(), P.tolist(), np.degrees(OMEGA).tolist(), strict=True)
    return head + "\n" + "".join(f"{n},{stamp},{','.join(map(repr, [*p, *w]))}\n" for n, stamp, p, w in rows)


def qualisys() -> str:
    elements = [A[:, i, j] for j in range(3) for i in range(3)]
    names = "\t".join(f"Rot[{n}]" for n in range(9))
    head = f"NO_OF_FRAMES\t301\nNO_OF_BODIES\t1\nFREQUENCY\t100\nFrame\tTime\tX\tY\tZ\tResidual\t{names}"
    return table(head, 1.0 + np.arange(len(T)), T, *(0 * T,) * 4, *elements, separator="\t")


def optitrack() -> str:
    head = (
        "Format Version,1.23,Take Name,a,Capture Frame Rate,100.000000,Rotation Type,Quaternion,Coordinate Space,Global\n"
        "\n,,Rigid Body,Rigid Body,Rigid Body,Rigid Body,Rigid Body,Rigid Body,Rigid Body\n,,b,b,b,b,b,b,b\n"
        ",,Rotation,Rotation,Rotation,Rotation,Position,Position,Position\nFrame,Time (Seconds),X,Y,Z,W,X,Y,Z"
    )
    return table(head, np.arange(len(T), dtype=float), T, *P[:, [1, 2, 3, 0]].T, *(0 * T,) * 3)


def opensim() -> str:
    head = "DataRate=100.000000\nDataType=Quaternion\nversion=3\nOpenSimVersion=4.4\nendheader\ntime\tpelvis_imu\ttorso_imu\n"
    rows = zip(T.tolist(), P.tolist(), strict=True)
    return head + "".join(f"{t!r}\t1,0,0,0\t{','.join(map(repr, p))}\n" for t, p in rows)


def stk() -> str:
    head = "stk.v.11.0\nBEGIN Attitude\nNumberOfAttitudePoints 301\nScenarioEpoch 1 Jan 2025 00:00:00.000\nCoordinateAxes ICRF\n"
    rows = table(
        "AttitudeTimeQuatAngVels", T, *conjugate(P)[:, [1, 2, 3, 0]].T, *np.degrees(OMEGA).T, separator=" "
    )
    return head + rows + "END Attitude\n"


def stk_dates() -> str:
    rows = zip(T.tolist(), A.tolist(), strict=True)
    lines = [
        f"1 Jan 2025 00:00:{t:06.3f} " + " ".join(map(repr, np.ravel(np.array(a).T).tolist()))
        for t, a in rows
    ]
    return (
        "stk.v.12.0\nBEGIN Attitude\nTimeFormat UTCG\nAttitudeTimeDCM\n"
        + "\n".join(lines)
        + "\nEND Attitude\n"
    )


def stk_angles(sequence: str) -> str:
    """Return yaw, pitch and roll about the axes of the reference, in the order of the columns that STK prescribes."""
    angles = Rotation.from_quat(P[:, [1, 2, 3, 0]]).as_euler(
        sequence.translate(str.maketrans("123", "xyz")), degrees=True
    )
    columns = [angles[:, sequence.index(axis)] for axis in "321"]
    head = f"stk.v.11.0\nBEGIN Attitude\nScenarioEpoch 1 Jan 2025 00:00:00.000\nSequence {sequence}\n"
    return head + table("AttitudeTimeYPRAngles", T, *columns, separator=" ") + "END Attitude\n"


def stk_matrices() -> str:
    rows = np.column_stack([np.swapaxes(A, 1, 2).reshape(-1, 9), np.degrees(OMEGA)])
    head = "stk.v.11.0\nBEGIN Attitude\nScenarioEpoch 1 Jan 2025 00:00:00.000\n"
    return head + table("AttitudeTimeDCMAngVels", T, *rows.T, separator=" ") + "END Attitude\n"


def gmat() -> str:
    names = "Sat.UTCGregorian|Sat.Q1|Sat.Q2|Sat.Q3|Sat.Q4|Sat.AngularVelocityX|Sat.AngularVelocityY|Sat.AngularVelocityZ"
    rows = zip(T.tolist(), conjugate(P)[:, [1, 2, 3, 0]].tolist(), np.degrees(OMEGA).tolist(), strict=True)
    lines = [f"01 Jan 2000 11:59:{28.0 + t:06.3f}   " + "   ".join(map(repr, [*q, *w])) for t, q, w in rows]
    return names.replace("|", "   ") + "\n" + "\n".join(lines) + "\n"


def xml() -> str:
    states = "".join(
        f"<attitudeState><quaternionAngVel><EPOCH>2026-11-25T13:20:{t:06.3f}</EPOCH><quaternion><QC>{p[0]!r}</QC><Q1>{p[1]!r}</Q1>"
        f"<Q2>{p[2]!r}</Q2><Q3>{p[3]!r}</Q3></quaternion><angVel><ANGVEL_X units='deg/s'>{w[0]!r}</ANGVEL_X><ANGVEL_Y>{w[1]!r}"
        f"</ANGVEL_Y><ANGVEL_Z>{w[2]!r}</ANGVEL_Z></angVel></quaternionAngVel></attitudeState>"
        for t, p, w in zip(T.tolist(), P.tolist(), np.degrees(OMEGA).tolist(), strict=True)
    )
    return (
        '<?xml version="1.0"?><aem id="CCSDS_AEM_VERS" version="2.0"><header/><body><segment><metadata><OBJECT_NAME>A</OBJECT_NAME>'
        "<REF_FRAME_A>EME2000</REF_FRAME_A><REF_FRAME_B>SC_BODY_1</REF_FRAME_B><TIME_SYSTEM>UTC</TIME_SYSTEM>"
        "<ATTITUDE_TYPE>QUATERNION/ANGVEL</ATTITUDE_TYPE><ANGVEL_FRAME>REF_FRAME_B</ANGVEL_FRAME></metadata><data>"
        f"{states}</data></segment></body></aem>"
    )


def gcsv() -> str:
    head = "GYROFLOW IMU LOG\nversion,1.3\nid,a\norientation,XYZ\ntscale,0.001\ngscale,0.0001\nascale,0.0005\nt,gx,gy,gz,ax,ay,az"
    gyro = np.round(OMEGA / 0.0001)
    return table(head, counts(1e3), *gyro.T, *(0 * T,) * 3, form=lambda value: str(int(value)))


FILES: dict[str, tuple[str, str, str, bool]] = {
    # title of the writer: file name, text, what is read
    "gyroflow log": ("a.gcsv", gcsv(), "rates", True),
    "Xsens MT Manager": ("a.txt", xsens(), "both", True),
    "Movella DOT": ("a.csv", dot(), "both", True),
    "phyphox": ("a.csv", table(
        '"Time (s)","Gyroscope x (rad/s)","Gyroscope y (rad/s)","Gyroscope z (rad/s)","Absolute (rad/s)"',
        T, *OMEGA.T, 0 * T), "rates", True),
    "Sensor Logger": ("Gyroscope.csv", table("time,seconds_elapsed,z,y,x",
        counts(1e9, 1718030736872695300), T, *OMEGA[:, ::-1].T), "rates", False),
    "SensorLog": ("a.csv", table(
        "loggingTime(txt),motionTimestamp_sinceReboot(s),motionRotationRateX(rad/s),motionRotationRateY(rad/s),motionRotationRateZ(rad/s)",
        0 * T, 76543.21 + T, *OMEGA.T).replace("\n0.0,", "\n2021-03-04 12:00:00.000 +0100,"), "rates", True),
    "AndroSensor": ("a.csv", table(
        "GYROSCOPE X (rad/s);GYROSCOPE Y (rad/s);GYROSCOPE Z (rad/s);Time since start in ms ;YYYY-MO-DD HH-MI-SS_SSS",
        *OMEGA.T, 1e3 * T, 0 * T, separator=";").replace(";0.0\n", ";2014-05-12 12:34:56:789\n"), "rates", True),
    "Physics Toolbox": ("a.csv", table("time,gFx,gFy,gFz,wx,wy,wz,p,Azimuth,Pitch,Roll",
        T, *(0 * T,) * 3, *OMEGA.T, *(0 * T,) * 4), "rates", False),
    "MATLAB Mobile": ("AngularVelocity.csv", table("Timestamp,X,Y,Z", 0 * T, *OMEGA.T), "rates", True),
    "Vernier Graphical Analysis": ("a.csv", table(
        "Data Set 1:Time(s),Data Set 1:X-axis gyro(rad/s),Data Set 1:Y-axis gyro(rad/s),Data Set 1:Z-axis gyro(rad/s)",
        T, *OMEGA.T), "rates", True),
    "Betaflight blackbox": ("a.csv", table(
        "loopIteration, time (us), setpoint[0], gyroADC[0], gyroADC[1], gyroADC[2]",
        np.arange(len(T), dtype=float), counts(1e6, 5_000_000), 0 * T,
        *np.degrees(OMEGA).T), "rates", True),
    "PX4": ("log_vehicle_attitude_0.csv", table(
        "timestamp,timestamp_sample,q[0],q[1],q[2],q[3],delta_q_reset[0],delta_q_reset[1],delta_q_reset[2],delta_q_reset[3],"
        "quat_reset_counter",
        counts(1e6, 112345678), counts(1e6, 112345178), *P.T, *(0 * T,) * 5), "attitude", True),
    "ArduPilot": ("a.csv", table("TimeUS,GyrX,GyrY,GyrZ,AccX,AccY,AccZ",
        counts(1e6, 9_000_000), *OMEGA.T, *(0 * T,) * 3), "rates", True),
    "MAVLink ATTITUDE": ("a.csv", table(
        "time_boot_ms,roll,pitch,yaw,rollspeed,pitchspeed,yawspeed", counts(1e3), *YPR[:, ::-1].T, *OMEGA.T), "both", True),
    "x-IMU3": ("Quaternion.csv", table("Timestamp (us),W,X,Y,Z", counts(1e6, 2_000_000), *P.T), "attitude", True),
    "Qualisys Track Manager": ("a.tsv", qualisys(), "attitude", True),
    "OptiTrack Motive": ("a.csv", optitrack(), "attitude", True),
    "EuRoC / TUM-VI": ("data.csv", table(
        "#timestamp [ns],w_RS_S_x [rad s^-1],w_RS_S_y [rad s^-1],w_RS_S_z [rad s^-1],a_RS_S_x [m s^-2]",
        counts(1e9, 1403636580838555648), *OMEGA.T, 0 * T), "rates", True),
    "TUM trajectory": ("a.txt", table(
        "# ground truth", 1305031098.6659 + T, *(0 * T,) * 3, *P[:, [1, 2, 3, 0]].T, separator=" "), "attitude", True),
    "GMAT report": ("a.txt", gmat(), "both", True),
    "an attitude file of STK": ("a.a", stk(), "both", True),
    "an attitude file of STK ": ("b.a", stk_dates(), "attitude", True),
    "an attitude file of STK  ": ("c.a", stk_angles("321"), "attitude", True),
    "an attitude file of STK   ": ("d.a", stk_angles("132"), "attitude", True),
    "an attitude file of STK    ": ("e.a", stk_matrices(), "both", True),
    "a storage file of OpenSim": ("a.sto", opensim(), "attitude", True),
    "a CCSDS attitude ephemeris message": ("a.xml", xml(), "both", True),
}  # fmt: skip
TOLERANCES = {"gyroflow log": 1e-4, "TUM trajectory": 1e-12}


def is_the_motion(recording: qv.Recording, contents: str, tolerance: float = 1e-9) -> None:
    assert len(recording) == len(T)
    np.testing.assert_allclose(recording.t, T, atol=1e-6)
    if contents in ("rates", "both"):
        np.testing.assert_allclose(recording.omega, OMEGA, atol=tolerance)
    if contents in ("attitude", "both"):
        turn = multiply(recording.p, conjugate(P))
        assert relative_angle(turn, turn[0]).max() < max(tolerance, 1e-7)


@pytest.mark.parametrize("title", FILES)
def test_writer_file_is_recognized_and_read(tmp_path: Path, title: str) -> None:
    name, text, contents, says_all = FILES[title]
    if title == "MATLAB Mobile":
        lines = text.splitlines()
        text = "\n".join(
            [
                lines[0],
                *(
                    f"28-Nov-2026 13:20:{t:06.3f}{line[3:]}"
                    for t, line in zip(T.tolist(), lines[1:], strict=True)
                ),
            ]
        )
    (tmp_path / name).write_text(text)
    loaded = load(
        qv.ReadOptions(file=name, part="torso_imu" if name.endswith(".sto") else None).in_folder(tmp_path)
    )
    assert title.strip() in (loaded.file_columns.writer, loaded.file_columns.title)
    is_the_motion(loaded.recording, contents, TOLERANCES.get(title, 1e-9))
    units = [
        remark
        for remark in loaded.recording.remarks
        if "assumed" in remark and ("rad" in remark or "times" in remark)
    ]
    assert says_all is not bool(units), loaded.recording.remarks


def test_every_writer_has_source_and_file() -> None:
    for writer in writers():
        assert writer.source
        assert writer.title in FILES, f"a file of {writer.title} is missing"


def test_sensor_logger_tables_are_joined(tmp_path: Path) -> None:
    stamps = counts(1e9, 1718030736872695300)
    between = T + 0.004
    rates = np.stack([np.interp(between, T, column) for column in OMEGA.T], axis=1)
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("Accelerometer.csv", table("time,seconds_elapsed,z,y,x", stamps, T, *(0 * T,) * 3))
        archive.writestr(
            "Gyroscope.csv", table("time,seconds_elapsed,z,y,x", stamps, between, *rates[:, ::-1].T)
        )
        archive.writestr(
            "Orientation.csv", table("time,seconds_elapsed,qz,qy,qx,qw", stamps, T, *P[:, ::-1].T)
        )
    recording = qv.load_recording(tmp_path / "a.zip")
    assert recording.p is not None
    is_the_motion(recording, "attitude")
    known = np.isfinite(recording.omega).all(axis=1)
    known[-3:] = False
    assert known.sum() > 290
    np.testing.assert_allclose(recording.omega[known], OMEGA[known], atol=1e-3)


def test_stk_yaw_pitch_roll_use_each_axis_once(tmp_path: Path) -> None:
    (tmp_path / "a.a").write_text(stk_angles("321").replace("Sequence 321", "Sequence 313"))
    with pytest.raises(qv.InputError, match="three different axes"):
        qv.load_recording(tmp_path / "a.a")


def test_sensor_orientation_in_its_camera_is_applied_or_reported(tmp_path: Path) -> None:
    turned = np.stack(
        [-OMEGA[:, 1], OMEGA[:, 0], OMEGA[:, 2]], axis=1
    )  # the camera's x is the sensor's y, its y is opposite x
    text = table(
        "t,gx,gy,gz,ax,ay,az",
        counts(1e3),
        *np.round(turned / 0.0001).T,
        *(0 * T,) * 3,
        form=lambda x: str(int(x)),
    )
    head = gcsv().partition("t,gx")[0]
    (tmp_path / "a.gcsv").write_text(head.replace("orientation,XYZ", "orientation,YxZ") + text)
    recording = qv.load_recording(tmp_path / "a.gcsv")
    is_the_motion(recording, "rates", 1e-4)
    assert any("orientation YxZ" in remark and "was applied" in remark for remark in recording.remarks)
    (tmp_path / "b.gcsv").write_text(gcsv().replace("orientation,XYZ", "orientation,yxZ"))
    recording = qv.load_recording(tmp_path / "b.gcsv")
    is_the_motion(recording, "rates", 1e-4)
    assert any("not applied" in remark for remark in recording.remarks)


@pytest.mark.parametrize("unit", ["inDegrees=yes", "inDegrees=no", "Angles are in degrees."])
def test_opensim_coordinates_have_file_units_and_no_role(tmp_path: Path, unit: str) -> None:
    names = ["pelvis_tilt", "pelvis_list", "pelvis_rotation"]
    head = f"Coordinates\nversion=1\nnRows={len(T)}\nnColumns=5\n{unit}\n\nendheader\n" + "\t".join(
        ["time", *names, "pelvis_tx"]
    )
    angles = angles_from_p(P, "312") * (1.0 if unit.endswith("no") else 180.0 / np.pi)
    (tmp_path / "a.mot").write_text(table(head, T, *angles.T, 0 * T, separator="\t"))
    with pytest.raises(qv.InputError, match="columns of an attitude"):
        qv.load_recording(tmp_path / "a.mot")
    recording = qv.load_recording(
        tmp_path / "a.mot", attitude="angles", attitude_columns=names, sequence="312"
    )
    is_the_motion(recording, "attitude")
    assert not any("angles are in" in remark for remark in recording.remarks)


def test_message_without_states_is_refused_with_its_element(tmp_path: Path) -> None:
    head, _, tail = xml().partition("<data>")
    (tmp_path / "a.xml").write_text(f"{head}<data></data>{tail.rpartition('</data>')[2]}")
    with pytest.raises(qv.InputError, match="<attitudeState>"):
        qv.load_recording(tmp_path / "a.xml")


def test_log_without_scale_is_reported(tmp_path: Path) -> None:
    (tmp_path / "a.gcsv").write_text(gcsv().replace("gscale,0.0001\n", ""))
    recording = qv.load_recording(tmp_path / "a.gcsv")
    assert any("scale" in remark for remark in recording.remarks)


def message(types: Any, message_type: str, row: int, stamp: int) -> Any:
    made = types.types
    is_ros1 = "header" in str(made["std_msgs/msg/Header"].__dataclass_fields__.get("seq", ""))
    time = made["builtin_interfaces/msg/Time"](stamp // 10**9, stamp % 10**9)
    has_seq = "seq" in made["std_msgs/msg/Header"].__dataclass_fields__
    header = (
        made["std_msgs/msg/Header"](0, time, "odom")
        if has_seq or is_ros1
        else made["std_msgs/msg/Header"](time, "odom")
    )
    q = made["geometry_msgs/msg/Quaternion"](*P[row, 1:].tolist(), float(P[row, 0]))
    zero = made["geometry_msgs/msg/Vector3"](0.0, 0.0, 0.0)
    pose = made["geometry_msgs/msg/Pose"](made["geometry_msgs/msg/Point"](0.0, 0.0, 0.0), q)
    twist = made["geometry_msgs/msg/Twist"](zero, made["geometry_msgs/msg/Vector3"](*OMEGA[row].tolist()))
    stamped = made["geometry_msgs/msg/PoseStamped"](header, pose)
    values = {
        "geometry_msgs/msg/PoseWithCovarianceStamped": lambda: (
            header, made["geometry_msgs/msg/PoseWithCovariance"](pose, np.zeros(36))),
        "geometry_msgs/msg/QuaternionStamped": lambda: (header, q),
        "geometry_msgs/msg/TwistStamped": lambda: (header, twist),
        "geometry_msgs/msg/PoseStamped": lambda: (header, pose),
        "nav_msgs/msg/Path": lambda: (header, [stamped]),
    }  # fmt: skip
    return made[message_type](*values[message_type]())


@pytest.mark.parametrize(
    ("message_type", "contents"),
    [
        ("geometry_msgs/msg/PoseWithCovarianceStamped", "attitude"), ("geometry_msgs/msg/QuaternionStamped", "attitude"),
        ("geometry_msgs/msg/TwistStamped", "rates"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("version", [1, 2])
def test_ros_messages_are_read(tmp_path: Path, message_type: str, contents: str, version: int) -> None:
    types = get_typestore(Stores.ROS1_NOETIC if version == 1 else Stores.ROS2_HUMBLE)
    start = 1_795_612_800 * 10**9
    path = tmp_path / "a.bag"
    writer: Any = (
        Bag1(path) if version == 1 else Bag2(tmp_path / "bag", version=9, storage_plugin=StoragePlugin.MCAP)
    )
    with writer:
        connection = writer.add_connection("/it", message_type, typestore=types)
        serialize = types.serialize_ros1 if version == 1 else types.serialize_cdr
        for row, t in enumerate(T.tolist()):
            stamp = start + round(t * 1e9)
            writer.write(connection, stamp, serialize(message(types, message_type, row, stamp), message_type))
    if version == 2:
        path = next((tmp_path / "bag").glob("*.mcap"))
    is_the_motion(qv.load_recording(path), contents)


def test_last_path_of_a_bag_is_read(tmp_path: Path) -> None:
    types = get_typestore(Stores.ROS2_HUMBLE)
    start = 1_795_612_800 * 10**9
    poses = [
        message(types, "geometry_msgs/msg/PoseStamped", row, start + round(t * 1e9))
        for row, t in enumerate(T.tolist())
    ]
    message_type = "nav_msgs/msg/Path"
    with Bag2(tmp_path / "bag", version=9, storage_plugin=StoragePlugin.MCAP) as writer:
        connection = writer.add_connection("/path", message_type, typestore=types)
        for length in (100, 200, len(T)):
            whole = types.types[message_type](poses[0].header, poses[:length])
            writer.write(connection, start + length, types.serialize_cdr(whole, message_type))
    is_the_motion(qv.load_recording(next((tmp_path / "bag").glob("*.mcap"))), "attitude")


def test_xml_with_entities_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_text(
        '<?xml version="1.0"?><!DOCTYPE aem [<!ENTITY a "aaaa">]>' + xml().partition("?>")[2]
    )
    with pytest.raises(qv.InputError, match="document type"):
        qv.load_recording(tmp_path / "a.xml")
