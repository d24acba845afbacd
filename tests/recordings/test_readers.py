"""Archives, tables of runs and ROS 2 bags; no file can refer elsewhere, hang, or claim excessive memory."""

import io
import struct
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
from rosbags.rosbag2 import StoragePlugin, Writer
from rosbags.typesys import Stores, get_typestore

import quatviz as qv
from quatviz.physics.mechanics.rotations import relative_angle, rotate, rotate_back
from quatviz.recordings.loading import load, loading_remarks
from quatviz.recordings.readers import READERS, read_columns

GYROSCOPE = (
    '"Time (s)","Gyroscope x (rad/s)","Gyroscope y (rad/s)","Gyroscope z (rad/s)","Absolute (rad/s)"\n'
)
ACCELEROMETER = '"Time (s)","Acceleration x (m/s^2)","Acceleration y (m/s^2)","Acceleration z (m/s^2)"\n'


@pytest.fixture(scope="module")
def motion() -> qv.Solution:
    return qv.simulate(qv.load_preset("torque_free"), lanes=["exact"], duration=2.0)["exact"]


def text(header: str, *columns: np.ndarray) -> str:
    rows = (",".join(map(repr, row)) for row in np.column_stack(columns).tolist())
    return header + "\n".join(rows) + "\n"


def archive(path: Path, **members: str) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in members.items():
            file.writestr(name.replace("__", "/").replace("_", " "), content)
    return path


def write_throw(motion: qv.Solution, tmp_path: Path, file: str = "throw.zip") -> Path:
    """Return phyphox's export of a phone that rests for a second, tilted by 30 degrees, and is then thrown."""
    times = 0.01 * np.arange(100)
    t = np.concatenate([times, 1.0 + motion.t])
    omega = np.concatenate([np.zeros((100, 3)), motion.omega])
    start = qv.rotations.from_rotation_vector([np.radians(30.0), 0.0, 0.0])
    force = rotate_back(np.tile(start, (100, 1)), [0.0, 0.0, 9.80665])
    gyroscope = text(GYROSCOPE, t, omega, np.linalg.norm(omega, axis=1))
    accelerometer = text(ACCELEROMETER, times + 0.003, force)
    return archive(
        tmp_path / file,
        **{"Gyroscope.csv": gyroscope, "Accelerometer.csv": accelerometer, "meta__device.csv": '"property","value"\n"brand","x"\n',
           "meta__time.csv": '"event","experiment time"\n"START",0\n"PAUSE",3\n', "notes.md": "thrown"},
    )  # fmt: skip


def test_gyroscope_is_integrated_from_identity(motion: qv.Solution, tmp_path: Path) -> None:
    (tmp_path / "Raw Data.csv").write_text(text(GYROSCOPE, motion.t, motion.omega, motion.t))
    loaded = load(qv.ReadOptions(file="Raw Data.csv").in_folder(tmp_path))
    assert loaded.recording.p is None
    np.testing.assert_array_equal(loaded.recording.omega, motion.omega)
    assert relative_angle(loaded.track.p, motion.p).max() < 1e-6, "the motion begins with no turn"
    assert "attitudes computed from rates" in loading_remarks(loaded)[0]


def test_phyphox_archive_starts_at_the_attitude_from_gravity(motion: qv.Solution, tmp_path: Path) -> None:
    write_throw(motion, tmp_path)
    loaded = load(qv.ReadOptions(file="throw.zip").in_folder(tmp_path))
    assert loaded.options.part == "Gyroscope.csv"
    assert loaded.file_columns.parts == ("Gyroscope.csv", "Accelerometer.csv")
    remarks = "\n".join(loading_remarks(loaded))
    assert "3 other files in the archive were not read" in remarks
    assert "at rest in 100 rows" in remarks
    expected = qv.rotations.multiply(qv.rotations.from_rotation_vector([np.radians(30.0), 0, 0]), motion.p)
    assert relative_angle(loaded.track.p[100:], expected).max() < 0.01, "half a sample of the jump"


def test_phyphox_columns_are_identified_by_units(motion: qv.Solution, tmp_path: Path) -> None:
    """User-defined phyphox experiments name columns by axes, and tables by sensors."""
    axes = [f'"{axis} ({{unit}})"' for axis in "XYZ"]
    rates = ",".join(['"Time (s)"', *axes]).format(unit="rad/s") + "\n"
    forces = ",".join(['"Time (s)"', *axes]).format(unit="m/s^2") + "\n"
    times = 0.01 * np.arange(100)
    felt = np.tile([0.0, 9.80665, 0.0], (100, 1))
    archive(
        tmp_path / "own.zip",
        **{"Linear Accelerometer.csv": text(forces, times, 0.0 * felt), "Accelerometer.csv": text(forces, times, felt),
           "Gyroscope.csv": text(rates, np.append(times, 1.0 + motion.t), np.vstack([np.zeros((100, 3)), motion.omega]))},
    )  # fmt: skip
    loaded = load(qv.ReadOptions(file="own.zip").in_folder(tmp_path))
    assert loaded.options.rate_columns == ("X (rad/s)", "Y (rad/s)", "Z (rad/s)")
    assert loaded.options.gravity_columns == ("X (m/s^2)", "Y (m/s^2)", "Z (m/s^2)")
    assert "at rest in 100 rows" in "\n".join(loading_remarks(loaded))
    up = rotate(loaded.track.p[0], [0.0, 1.0, 0.0])
    np.testing.assert_allclose(up, [0.0, 0.0, 1.0], atol=0.01, err_msg="half a sample of the jump")


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_pause_is_a_gap_of_its_duration(motion: qv.Solution, tmp_path: Path, separator: str) -> None:
    """The clock of phyphox stops during a pause, but the phone keeps moving."""
    kept = (motion.t <= 0.5) | (motion.t > 0.805)
    t = np.where(motion.t > 0.5, motion.t - 0.3, motion.t)[kept]
    clock = 1764076800.25
    diary: list[list[Any]] = [
        ["event", "experiment time", "system time", "system time text"], ["START", 0, clock, "13:20:00"],
        ["PAUSE", 0.503, clock + 0.503, "13"], ["START", 0.503, clock + 0.803, ""], ["PAUSE", 2.8, clock + 3.1, ""],
        ["START", 2.8, clock + 9.1, ""], ["PAUSE", 2.9, clock + 9.2, ""], ["CLEAR"],
    ]  # fmt: skip
    lines = [
        separator.join(f'"{cell}"' if isinstance(cell, str) else str(cell) for cell in row) for row in diary
    ]
    lines = [line.replace(".", ",") if separator != "," else line for line in lines]
    archive(
        tmp_path / "a.zip",
        **{"Gyroscope.csv": text(GYROSCOPE, t, motion.omega[kept], t), "meta__time.csv": "\n".join(lines)},
    )
    loaded = load(qv.ReadOptions(file="a.zip").in_folder(tmp_path))
    np.testing.assert_allclose(loaded.recording.t, motion.t[kept], atol=1e-6)
    assert loaded.recording.gaps.tolist() == [pytest.approx([0.5, 0.81], abs=1e-6)]
    assert np.isnan(loaded.track.p[51:]).all()
    assert loaded.recording.remarks[:1] == ("1 pause, of 0.3 s, is a gap",), (
        "that behind the last row is none"
    )
    assert not any("other file" in remark for remark in loaded.recording.remarks), "the diary was read"


def anew(motion: qv.Solution, tmp_path: Path, diary: bool) -> qv.ReadOptions:
    """Return two runs in one table whose time restarts; phyphox was paused for 0.5 s between them."""
    early, late = motion.t <= 0.8, motion.t > 1.3
    t = np.concatenate([motion.t[early], motion.t[late] - 1.305])
    omega = np.concatenate([motion.omega[early], motion.omega[late]])
    events = [
        "event,experiment time,system time",
        "START,0,50",
        "PAUSE,0.803,50.803",
        "START,0,51.305",
        "PAUSE,0.7,52.0",
    ]
    told_of = {"meta__time.csv": "\n".join(events)} if diary else {}
    archive(tmp_path / "two.zip", **{"Gyroscope.csv": text(GYROSCOPE, t, omega, t), **told_of})
    return qv.ReadOptions(file="two.zip").in_folder(tmp_path)


def test_restarted_runs_are_ordered_by_the_clock(motion: qv.Solution, tmp_path: Path) -> None:
    loaded = load(anew(motion, tmp_path, True))
    kept = (motion.t <= 0.8) | (motion.t > 1.3)
    np.testing.assert_allclose(loaded.recording.t, motion.t[kept], atol=1e-6)
    np.testing.assert_array_equal(loaded.recording.omega, motion.omega[kept])
    assert loaded.recording.gaps.tolist() == [pytest.approx([0.8, 1.31], abs=1e-6)]
    assert "2 runs, each beginning at zero, were joined by their clock times" in loaded.recording.remarks
    assert not any("left out" in remark for remark in loaded.recording.remarks)


def test_longest_of_several_unclocked_runs_is_read(motion: qv.Solution, tmp_path: Path) -> None:
    """The two runs are not mixed, whatever time range is used."""
    reading = anew(motion, tmp_path, False)
    early, late = motion.t <= 0.8, motion.t > 1.3
    longest, shorter = (early, late) if early.sum() > late.sum() else (late, early)
    loaded = load(reading)
    np.testing.assert_array_equal(loaded.recording.omega, motion.omega[longest])
    (restart_remark,) = [remark for remark in loaded.recording.remarks if "restarts" in remark]
    assert f"the other run, of {shorter.sum()} rows, is left out" in restart_remark
    part = load(replace(reading, start=0.1, stop=0.3).in_folder(tmp_path))
    np.testing.assert_array_equal(part.recording.omega, motion.omega[longest][10:31])


@pytest.mark.parametrize(
    "times", [[0.0, 0.1, 0.2, 9.0, 0.3], [0.0, 0.1, 0.2, 0.0, 0.3]], ids=["ahead", "back"]
)
def test_outlying_time_does_not_start_a_run(times: list[float]) -> None:
    t = np.concatenate([times, 0.4 + 0.1 * np.arange(20)])
    recording = qv.Recording(t, omega=np.ones((len(t), 3)))
    assert len(recording) == 24
    assert recording.remarks == ("1 row with an earlier time than the row before was left out",)


def test_rest_may_precede_the_selected_segment(motion: qv.Solution, tmp_path: Path) -> None:
    write_throw(motion, tmp_path)
    whole = load(qv.ReadOptions(file="throw.zip").in_folder(tmp_path))
    cut = load(qv.ReadOptions(file="throw.zip", start=1.2, stop=2.0).in_folder(tmp_path))
    np.testing.assert_allclose(cut.recording.t, whole.recording.t[120:201] - 1.2, atol=1e-12)
    assert relative_angle(cut.track.p, whole.track.p[120:201]).max() < 1e-9


def test_table_of_an_archive_can_be_selected(motion: qv.Solution, tmp_path: Path) -> None:
    write_throw(motion, tmp_path)
    with pytest.raises(qv.InputError, match="an attitude or an angular velocity"):
        load(qv.ReadOptions(file="throw.zip", part="Accelerometer.csv").in_folder(tmp_path))
    with pytest.raises(qv.InputError, match="one of the tables"):
        load(qv.ReadOptions(file="throw.zip", part="../../etc/passwd").in_folder(tmp_path))


def test_archive_with_other_files_is_read(motion: qv.Solution, tmp_path: Path) -> None:
    """Names with paths are harmless, because nothing is unpacked to the disk."""
    gyroscope = text(GYROSCOPE, motion.t, motion.omega, motion.t)
    path = tmp_path / "odd.zip"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("../../outside.csv", gyroscope)
        file.writestr("__MACOSX/._Gyroscope.csv", "\0\1")
        file.writestr("picture.png", b"\x89PNG")
        file.writestr("broken gyroscope.csv", "no table")
    loaded = load(qv.ReadOptions(file="odd.zip").in_folder(tmp_path))
    assert loaded.options.part == "../../outside.csv"
    assert not (tmp_path.parent / "outside.csv").exists()
    assert "3 other files in the archive were not read" in loaded.recording.remarks
    archive(tmp_path / "none.zip", **{"readme.md": "nothing"})
    with pytest.raises(qv.InputError, match="0 tables"):
        load(qv.ReadOptions(file="none.zip").in_folder(tmp_path))


def test_highly_compressed_archive_is_refused(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("Gyroscope.csv", b"0" * 30_000_000)
    with pytest.raises(qv.InputError, match="no less than 1/200 of its size"):
        read_columns(tmp_path / "bomb.zip")
    with zipfile.ZipFile(tmp_path / "other.zip", "w", zipfile.ZIP_BZIP2) as file:
        file.writestr("Gyroscope.csv", b"t,x\n1,2\n2,3\n")
    with pytest.raises(qv.InputError, match="Deflate"):
        read_columns(tmp_path / "other.zip")


def test_archive_search_is_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    archive(tmp_path / "many.zip", **{f"{number}.csv": "1,2\n2,3\n" for number in range(50)})
    opened: list[str] = []
    real = zipfile.ZipFile.open

    def noted(self: zipfile.ZipFile, member: zipfile.ZipInfo) -> Any:
        opened.append(member.filename)
        return real(self, member)

    monkeypatch.setattr("quatviz.recordings.readers.archive.MAX_SEARCHED_BYTES", 100)
    monkeypatch.setattr(zipfile.ZipFile, "open", noted)
    assert read_columns(tmp_path / "many.zip").part == "0.csv"
    assert 10 <= len(opened) <= 13


def test_texts_in_a_table_are_not_read(tmp_path: Path) -> None:
    """A text stored once may be referenced a billion times."""
    import pyarrow as pa
    from pyarrow import parquet

    table = pa.table({"t": [0.0, 1.0], "said": ["x", "x"], "lists": [[1.0], [2.0]], "omega_1": [1, 2]})
    parquet.write_table(table, tmp_path / "mixed.parquet")
    assert list(read_columns(tmp_path / "mixed.parquet").columns) == ["t", "omega_1"]


@pytest.mark.parametrize("ending", ["parquet", "h5", "npz", "csv"])
def test_tables_of_runs_are_recordings_of_their_lanes(
    motion: qv.Solution, tmp_path: Path, ending: str
) -> None:
    run = qv.simulate(qv.load_preset("torque_free"), lanes=["exact", "newton_euler"], duration=1.0)
    run.write(tmp_path / f"run.{ending}")
    for part, lane in ((None, run["exact"]), ("newton_euler", run["newton_euler"])):
        loaded = load(qv.ReadOptions(file=f"run.{ending}", part=part).in_folder(tmp_path))
        assert loaded.file_columns.parts == ("exact", "newton_euler")
        np.testing.assert_array_equal(loaded.recording.omega, lane.omega)
        np.testing.assert_allclose(
            loaded.recording.p, lane.p / np.linalg.norm(lane.p, axis=1)[:, None], atol=1e-15
        )
    with pytest.raises(qv.InputError, match="one of the lanes exact, newton_euler"):
        load(qv.ReadOptions(file=f"run.{ending}", part="hamilton").in_folder(tmp_path))


def test_foreign_arrays_are_columns(motion: qv.Solution, tmp_path: Path) -> None:
    np.savez(
        tmp_path / "a.npz", t=motion.t, q=motion.p, omega=motion.omega, note=np.array(["x"]), J=np.eye(3)
    )
    loaded = load(qv.ReadOptions(file="a.npz").in_folder(tmp_path))
    assert list(loaded.file_columns.columns) == ["t", "p_0", "p_1", "p_2", "p_3"][:1] + [f"q_{n}" for n in range(4)] + [
        "omega_1", "omega_2", "omega_3",
    ]  # fmt: skip
    np.testing.assert_array_equal(loaded.recording.omega, motion.omega)


def test_table_with_excessive_size_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("quatviz.recordings.readers.table.MAX_NUMBERS", 10)
    np.savez(tmp_path / "a.npz", t=np.arange(20.0))
    with pytest.raises(qv.InputError, match="at most 10 numbers"):
        read_columns(tmp_path / "a.npz")
    with h5py.File(tmp_path / "a.h5", "w") as file:
        file["t"] = np.arange(20.0)
    with pytest.raises(qv.InputError, match="claims"):
        read_columns(tmp_path / "a.h5")


def test_highly_compressed_tables_are_refused_unread(tmp_path: Path) -> None:
    """200 million zeros in two megabytes: reading them would take seconds and gigabytes, however much memory is free."""
    head = io.BytesIO()
    shape = {"descr": "<f8", "fortran_order": False, "shape": (200_000_000,)}
    np.lib.format.write_array_header_1_0(head, shape)
    path = tmp_path / "a.npz"
    with zipfile.ZipFile(path, "w") as archive:
        # The data after the header may be missing, because it is not read.
        archive.writestr("t.npy", head.getvalue() + bytes(2_000_000))
    with pytest.raises(qv.InputError, match=r"at most 1e\+08 numbers|claims"):
        read_columns(path)


def test_pickled_table_is_not_read(tmp_path: Path) -> None:
    np.savez(tmp_path / "a.npz", t=np.array([print], dtype=object))
    with pytest.raises(qv.InputError, match="arrays of numbers"):
        read_columns(tmp_path / "a.npz")


TYPES = get_typestore(Stores.ROS2_HUMBLE)
START = 1_795_612_800 * 10**9


def header(stamp: int) -> Any:
    time = TYPES.types["builtin_interfaces/msg/Time"](stamp // 10**9, stamp % 10**9)
    return TYPES.types["std_msgs/msg/Header"](time, "odom")


def messages(message_type: str, motion: qv.Solution, stamped: bool = True) -> list[tuple[int, Any]]:
    def made(name: str, *values: float) -> Any:
        return TYPES.types[f"geometry_msgs/msg/{name}"](*values)

    records = []
    for t, p, omega in zip(motion.t, motion.p.tolist(), motion.omega.tolist(), strict=True):
        stamp = START + round(t * 1e9)
        head = header(stamp if stamped else 0)
        q, w = made("Quaternion", *p[1:], p[0]), made("Vector3", *omega)
        zero, point = made("Vector3", 0.0, 0.0, 0.0), made("Point", 0.0, 0.0, 0.0)
        nine, many = np.zeros(9), np.zeros(36)
        match message_type:
            case "sensor_msgs/msg/Imu":
                values: tuple[Any, ...] = (
                    head,
                    q,
                    nine,
                    w,
                    np.zeros(9),
                    made("Vector3", 0.0, 0.0, 9.8),
                    np.zeros(9),
                )
            case "geometry_msgs/msg/PoseStamped":
                values = (head, TYPES.types["geometry_msgs/msg/Pose"](point, q))
            case "geometry_msgs/msg/TransformStamped":
                values = (head, "base", TYPES.types["geometry_msgs/msg/Transform"](zero, q))
            case "tf2_msgs/msg/TFMessage":
                transform = TYPES.types["geometry_msgs/msg/TransformStamped"]
                still = TYPES.types["geometry_msgs/msg/Transform"](
                    zero, made("Quaternion", 0.0, 0.0, 0.0, 1.0)
                )
                message = transform(head, "base", TYPES.types["geometry_msgs/msg/Transform"](zero, q))
                values = ([message, transform(head, "arm", still)],)
            case _:
                pose = TYPES.types["geometry_msgs/msg/PoseWithCovariance"](
                    TYPES.types["geometry_msgs/msg/Pose"](point, q), many
                )
                twist = TYPES.types["geometry_msgs/msg/TwistWithCovariance"](
                    TYPES.types["geometry_msgs/msg/Twist"](zero, w), many
                )
                values = (head, "base", pose, twist)
        records.append((stamp, TYPES.types[message_type](*values)))
    return records


def bag(folder: Path, storage: StoragePlugin, *topics: tuple[str, str, list[tuple[int, Any]]]) -> Path:
    with Writer(folder / "bag", version=9, storage_plugin=storage) as writer:
        for topic, message_type, several in topics:
            connection = writer.add_connection(topic, message_type, typestore=TYPES)
            for stamp, message in several:
                writer.write(connection, stamp, TYPES.serialize_cdr(message, message_type))
    return next(path for path in (folder / "bag").iterdir() if path.suffix in (".mcap", ".db3"))


@pytest.mark.parametrize("storage", [StoragePlugin.MCAP, StoragePlugin.SQLITE3])
@pytest.mark.parametrize("message_type", ["sensor_msgs/msg/Imu", "nav_msgs/msg/Odometry"])
def test_both_bag_formats_give_attitude_and_rates(
    motion: qv.Solution, tmp_path: Path, storage: StoragePlugin, message_type: str
) -> None:
    path = bag(tmp_path, storage, ("/it", message_type, messages(message_type, motion)))
    loaded = load(qv.ReadOptions(file=path.name).in_folder(path.parent))
    np.testing.assert_allclose(loaded.recording.t, motion.t, atol=1e-9)
    np.testing.assert_allclose(loaded.recording.p, motion.p, atol=1e-15)
    np.testing.assert_array_equal(loaded.recording.omega, motion.omega)


@pytest.mark.parametrize(
    "message_type",
    ["geometry_msgs/msg/PoseStamped", "geometry_msgs/msg/TransformStamped", "tf2_msgs/msg/TFMessage"],
)
def test_bag_times_replace_missing_header_times(
    motion: qv.Solution, tmp_path: Path, message_type: str
) -> None:
    path = bag(
        tmp_path, StoragePlugin.MCAP, ("/it", message_type, messages(message_type, motion, stamped=False))
    )
    loaded = load(qv.ReadOptions(file=path.name).in_folder(path.parent))
    np.testing.assert_allclose(loaded.recording.t, motion.t, atol=1e-9)
    np.testing.assert_allclose(loaded.recording.p, motion.p, atol=1e-15)
    assert loaded.recording.omega is None
    if message_type.startswith("tf2"):
        arm = load(qv.ReadOptions(file=path.name, part="/it arm").in_folder(path.parent))
        assert relative_angle(arm.recording.p, [1.0, 0.0, 0.0, 0.0]).max() == 0.0
        assert loaded.file_columns.parts == ("/it", "/it base", "/it arm")


def test_undefined_ros_orientation_is_ignored(motion: qv.Solution, tmp_path: Path) -> None:
    several = messages("sensor_msgs/msg/Imu", motion)
    for _, message in several:
        message.orientation_covariance[0] = -1.0
    path = bag(tmp_path, StoragePlugin.MCAP, ("/imu", "sensor_msgs/msg/Imu", several))
    loaded = load(qv.ReadOptions(file=path.name).in_folder(path.parent))
    assert loaded.recording.p is None
    np.testing.assert_array_equal(loaded.recording.omega, motion.omega)


def test_selected_topic_is_read_and_others_are_reported(motion: qv.Solution, tmp_path: Path) -> None:
    kinds = "geometry_msgs/msg/PoseStamped", "sensor_msgs/msg/Imu"
    path = bag(
        tmp_path,
        StoragePlugin.MCAP,
        *((f"/{message_type[-3:]}", message_type, messages(message_type, motion)) for message_type in kinds),
    )
    loaded = load(qv.ReadOptions(file=path.name).in_folder(path.parent))
    assert (loaded.options.part, loaded.file_columns.parts) == ("/Imu", ("/Imu", "/ped"))
    with pytest.raises(qv.InputError, match="one of the topics /Imu, /ped"):
        load(qv.ReadOptions(file=path.name, part="/gps").in_folder(path.parent))


def test_bag_without_suitable_topics_lists_its_topics(tmp_path: Path) -> None:
    point = [(START, TYPES.types["geometry_msgs/msg/Point"](0.0, 0.0, 0.0))]
    path = bag(tmp_path, StoragePlugin.MCAP, ("/point", "geometry_msgs/msg/Point", point))
    with pytest.raises(qv.InputError, match="geometry_msgs/msg/Point"):
        read_columns(path)


def test_missing_package_names_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.mcap").write_bytes(b"\x89MCAP0\r\n")
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(qv.InputError, match=r"quatviz\[ros\]"):
        read_columns(tmp_path / "a.mcap")


@pytest.mark.parametrize(
    "suffix", sorted({suffix for reader in READERS.values() for suffix in reader.suffixes})
)
@pytest.mark.parametrize(
    "data", [b"", b"\0" * 100, b"PK\x03\x04" + b"\xff" * 60, struct.pack("<d", 1e300) * 50]
)
def test_damaged_files_are_refused(tmp_path: Path, suffix: str, data: bytes) -> None:
    (tmp_path / f"a{suffix}").write_bytes(data)
    with pytest.raises(qv.InputError):
        load(qv.ReadOptions(file=f"a{suffix}").in_folder(tmp_path))


@pytest.mark.parametrize(
    ("name", "message"),
    [("a.xlsx", "(?s)a name ending in.*as CSV"), ("folder.csv", "a folder, a pipe or a device")],
)
def test_unknown_file_format_is_refused(tmp_path: Path, name: str, message: str) -> None:
    if name.startswith("folder"):
        (tmp_path / name).mkdir()
    else:
        (tmp_path / name).write_bytes(b"PK")
    with pytest.raises(qv.InputError, match=message):
        read_columns(tmp_path / name)


def test_too_large_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("quatviz.recordings.readers.MAX_FILE_BYTES", 10)
    (tmp_path / "a.csv").write_text("t,x\n0,1\n1,2\n")
    with pytest.raises(qv.InputError, match="a recording of at most"):
        read_columns(tmp_path / "a.csv")
