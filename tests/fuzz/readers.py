"""All readers of files and texts from outside, with valid inputs from which invalid ones are made, and the conditions that accepted
inputs must satisfy."""

import atexit
import faulthandler
import os
import re
import runpy
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import traceback
import warnings
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path
from unittest import mock

import numpy as np
import trimesh
from view_state_samples import all_fields_changed

from quatviz.analysis.sweeps.chunk import SweepResults, run_chunk
from quatviz.analysis.sweeps.dataset import make_dataset
from quatviz.analysis.sweeps.files import SweepStore, read_digest, read_sweep, write_sweep
from quatviz.analysis.sweeps.plan import SweepPlan
from quatviz.analysis.sweeps.sweep import Sweep
from quatviz.api.calls import load_run
from quatviz.base import markdown, resources
from quatviz.base.errors import InputError
from quatviz.base.expression import Expression
from quatviz.base.formatting import DecimalStepper
from quatviz.base.latex import MalformedFormula, plain_text
from quatviz.base.units import convert_to_unit, number_error_text, parse_number_in_unit, split_numbers
from quatviz.display.document.user_files import RecentFiles
from quatviz.display.view_state.session import (
    Session,
    format_session,
    from_short_text,
    parse_session,
    read_session,
    to_short_text,
)
from quatviz.display.view_state.view_state import (
    SETTINGS_SCOPES,
    ViewState,
    format_view_state,
    parse_view_state,
    read_view_state,
    toml_tables,
)
from quatviz.export.formats import FORMATS
from quatviz.export.table_files import read_session_of_table, write_table
from quatviz.files.formula_cache import FormulaCache
from quatviz.files.preset import Lane
from quatviz.files.preset_reading import format_preset, parse_preset, read_preset
from quatviz.physics.geometry.meshes import read_mesh, refuse_open_surface
from quatviz.physics.mechanics.rotations import normalize
from quatviz.physics.observables.read_options import ReadOptions
from quatviz.physics.observables.recording import Recording
from quatviz.recordings import arrays
from quatviz.recordings.conventions import Convention
from quatviz.recordings.importing import rank_conventions
from quatviz.recordings.loading import load
from quatviz.recordings.writing import write_recording
from quatviz.simulation.simulation import Simulation
from quatviz.teaching.lessons.model import Lesson
from quatviz.teaching.lessons.parsing import lesson_paths, read_lesson
from quatviz.teaching.lessons.presentation import LectureHistory, QuestionKey, Rounds, pages_of
from quatviz.ui.transport.time_input import parse_time

SIZES = (1.0, 2.0, 3.0)


@dataclass(frozen=True)
class FuzzReader:
    """A reader to be tried. `read` reads a file with the suffix `suffix`; it must return, or raise one of `refusals`."""

    name: str
    suffix: str
    read: Callable[[Path], object]
    seeds: Callable[[Path], Sequence[bytes]]
    """Function that returns valid inputs; it may use an empty folder."""
    text: bool = True
    refusals: tuple[type[Exception], ...] = (InputError,)


def _preset(path: Path) -> None:
    preset = read_preset(path)
    text = format_preset(preset)
    assert format_preset(parse_preset(text, folder=path.parent)) == text, (
        "it changes if it is written and read again"
    )


def _session(path: Path) -> None:
    session = read_session(path)
    text = format_session(session)
    assert format_session(parse_session(text, folder=path.parent)) == text, (
        "it changes if it is written and read again"
    )


def _look(path: Path) -> None:
    look = read_view_state(path)
    assert parse_view_state(format_view_state(look)) == look, "it changes if it is written and read again"


def _short(path: Path) -> None:
    """Read the code, and read the changed text in a code with a valid checksum."""
    text = path.read_bytes().decode("utf-8", "replace")
    try:
        from_short_text(text)
    except InputError:
        from_short_text(text.partition("\n")[2])


def _lesson(path: Path) -> None:
    lesson = read_lesson(path)
    for step in lesson.steps:
        for part in step.parts:
            _check_html(part.text)
    assert pages_of(lesson)


def _markdown(path: Path) -> None:
    _check_html(path.read_bytes().decode("utf-8", "replace"))


def _check_html(words: str) -> None:
    html = markdown.to_html(words, lambda latex, displayed: escape(markdown.formula_text(latex)))
    assert "<script" not in html
    assert "<img" not in html
    markdown.to_plain_text(words)


def _latex(path: Path) -> None:
    plain_text(path.read_bytes().decode("utf-8", "replace"))


def _typeset(path: Path) -> None:
    """Typeset a formula. The window shows plain text instead if typesetting fails."""
    FormulaCache(path.parent / "formulae.book").render(path.read_bytes().decode("utf-8", "replace"))


def _expression(path: Path) -> None:
    Expression(path.read_bytes().decode("utf-8", "replace")).evaluate(np.linspace(-1.0, 1.0, 3))


def _typed_number(path: Path) -> None:
    """Read a text as a field of the window does, which limits a pasted text to 32,767 characters."""
    text = path.read_bytes().decode("utf-8", "replace")[:32_767]
    for unit in ("", "deg", "kg m^2"):
        parse_number_in_unit(text, unit)
        convert_to_unit(text, unit)
        number_error_text([text], unit, (3,))
    split_numbers(text)
    stepper = DecimalStepper.from_text(text)
    assert stepper is None or stepper.stepped(1).text
    parse_time(text, 90.0)


def _mesh(path: Path) -> None:
    refuse_open_surface(read_mesh(path), path.name)


def _settings(path: Path) -> None:
    """Read a settings file, and check that a damaged one is repaired."""
    from quatviz.ui.window.settings import Settings

    before = os.environ.get("QUATVIZ_SETTINGS_DIR", "")
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        os.environ["QUATVIZ_SETTINGS_DIR"] = folder
        try:
            shutil.copyfile(path, resources.settings_folder() / "window.toml")
            Settings().repair()
            assert Settings().repair() == "", "it is still damaged"
        finally:
            os.environ["QUATVIZ_SETTINGS_DIR"] = before


@cache
def _lesson_with_votes() -> tuple[Lesson, dict[QuestionKey, Rounds]]:
    """Return a lesson with questions, and two rounds of votes on each question."""
    lesson = read_lesson(lesson_paths()["constraint"])
    keys = dict.fromkeys(page.question_key for page in pages_of(lesson) if page.question_key is not None)
    return lesson, {
        key: tuple((3,) * len(key[1].choices or ()) for _ in range(2)) for key in keys if key[1].choices
    }


def _user_lists(path: Path) -> None:
    """Read lists stored for the user. Damaged lists are discarded, and new entries can be read again."""
    lesson, rounds = _lesson_with_votes()
    before = os.environ.get("QUATVIZ_SETTINGS_DIR", "")
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        os.environ["QUATVIZ_SETTINGS_DIR"] = folder
        try:
            for name in ("lectures.toml", "recent.toml"):
                shutil.copyfile(path, resources.settings_folder() / name)
            LectureHistory().restore(lesson)
            LectureHistory().save(lesson, 1, rounds)
            assert LectureHistory().restore(lesson) == (1, rounds), "saved votes are lost"
            RecentFiles().add(path)
            assert RecentFiles().paths[:1] == [path.absolute()], "the recent file is lost"
        finally:
            os.environ["QUATVIZ_SETTINGS_DIR"] = before


def _user_list_seeds(folder: Path) -> list[bytes]:
    lesson, rounds = _lesson_with_votes()
    before = os.environ.get("QUATVIZ_SETTINGS_DIR", "")
    os.environ["QUATVIZ_SETTINGS_DIR"] = str(folder)
    try:
        LectureHistory().save(lesson, 2, rounds)
        other = (folder / "lectures.toml").read_text("utf-8").replace(lesson.title, "Another")
        RecentFiles().add(Path(__file__))
    finally:
        os.environ["QUATVIZ_SETTINGS_DIR"] = before
    return [*_files(folder, "*.toml"), other.encode()]


def _motion(path: Path) -> None:
    """Load a recording, interpolate it between its samples, and rank its conventions."""
    loaded = load(ReadOptions(file=path.name).in_folder(path.parent))
    recording = loaded.recording
    assert (np.diff(recording.t) > 0.0).all(), "the times do not increase"
    if recording.p is not None:
        lengths = np.linalg.norm(recording.p, axis=1)
        assert (np.isnan(lengths) | (np.abs(lengths - 1.0) < 1e-9)).all(), "a quaternion is not of length 1"
    p, _ = loaded.track.at(np.linspace(0.0, float(recording.t[-1]), 50))
    assert p.shape == (50, 4)
    rank_conventions(loaded)


def _motion_hdf5(path: Path) -> None:
    """Load an HDF5 recording, which is read in a fork of this process. A new Python process would start ten times slower."""
    with mock.patch.object(arrays, "subprocess", ForkingSubprocess):
        _motion(path)


class ForkingSubprocess:
    """Replacement for the module `subprocess` that forks this process."""

    TimeoutExpired = subprocess.TimeoutExpired

    @staticmethod
    def run(words: list[str], timeout: float, **_: object) -> subprocess.CompletedProcess[bytes]:
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors:
            child = os.fork()
            if child == 0:
                _run_as_module(words[words.index("-m") + 1 :], out.fileno(), errors.fileno())
            until = time.monotonic() + timeout
            while (ended := os.waitpid(child, os.WNOHANG))[0] == 0:
                time.sleep(0.001)
                if time.monotonic() > until:
                    os.kill(child, signal.SIGKILL)
                    os.waitpid(child, 0)
                    raise subprocess.TimeoutExpired(words, timeout)
            out.seek(0)
            errors.seek(0)
            code = os.waitstatus_to_exitcode(ended[1])
            return subprocess.CompletedProcess(words, code, out.read(), errors.read())


def _run_as_module(words: list[str], out: int, errors: int) -> None:
    """Run a module as `python -m` would, and end this process. Private: `_exit`, since cleaning up is the task of the parent."""
    code = 1
    try:
        os.dup2(out, 1)
        os.dup2(errors, 2)
        sys.stdout = open(1, "w", closefd=False)  # noqa: SIM115
        sys.stderr = open(2, "w", closefd=False)  # noqa: SIM115
        sys.argv = words
        faulthandler.disable()
        warnings.resetwarnings()
        warnings.simplefilter("ignore")
        runpy.run_module(words[0], run_name="__main__", alter_sys=True)
        sys.stdout.flush()
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 1
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
    finally:
        os._exit(code)


def _motion_tables(folder: Path) -> list[bytes]:
    """Return tables of a run, and files of named arrays as other programs write them."""
    import h5py

    motion = _recorded_motion()
    assert motion.p is not None
    with h5py.File(folder / "plain.h5", "w") as file:
        file["time"] = motion.t
        for name, values in zip(("q_w", "q_x", "q_y", "q_z"), motion.p.T, strict=True):
            file[f"imu/{name}"] = values
    with h5py.File(folder / "chunks.h5", "w") as file:
        file.create_dataset("t", data=motion.t, compression="gzip", chunks=True)
        file.create_dataset("p", data=motion.p, compression="gzip", shuffle=True, fletcher32=True)
        file.create_dataset("omega", data=motion.omega, dtype="f4")
    return [*_tables(".h5")(folder), *_files(folder, "[pc]*.h5")]


@cache
def _sweep_plan() -> SweepPlan:
    preset = read_preset(resources.preset_folder() / "torque_free.toml").with_run(
        lanes=[Lane("newton_euler")]
    )
    over = {"initial.angular_velocity[0]": [0.0, 0.5, 1.0], "body.inertia[0]": [400.0, 1e9]}
    return SweepPlan.create(preset, over, measure=["flips", "first_flip"], duration=0.5)


def _chunk(path: Path) -> None:
    """Resume an interrupted sweep. A damaged chunk is computed again."""
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        store = SweepStore(_sweep_plan(), Path(folder) / "sweep.nc")
        results = SweepResults.empty(_sweep_plan(), *_sweep_plan().shape)
        assert store.resume(results) == [(0, _sweep_plan().point_count)]
        shutil.copyfile(path, Path(folder) / "sweep.nc.part" / f"0-{_sweep_plan().point_count}.npz")
        missing = store.resume(results)
        assert missing in ([], [(0, _sweep_plan().point_count)])
        if missing:
            raise InputError("a chunk", expected="one", found="none", remedy="compute it again")
        make_dataset(_sweep_plan(), results)


def _digest(path: Path) -> None:
    """Read the digest of a sweep file, by which a sweep recognizes its own file before it overwrites it."""
    read_digest(path)


def _kept_chunks(folder: Path) -> list[bytes]:
    store = SweepStore(_sweep_plan(), folder / "sweep.nc")
    store.resume(SweepResults.empty(_sweep_plan(), *_sweep_plan().shape))
    store.save_chunk(0, _sweep_plan().point_count, run_chunk(_sweep_plan(), 0, _sweep_plan().point_count))
    return [path.read_bytes() for path in (folder / "sweep.nc.part").glob("*.npz")]


def _sweeps(suffix: str) -> Callable[[Path], list[bytes]]:
    def seeds(folder: Path) -> list[bytes]:
        path = folder / f"sweep{suffix}"
        with Sweep(_sweep_plan()) as sweep:
            write_sweep(make_dataset(_sweep_plan(), sweep.complete()), path)
        return [path.read_bytes()]

    return seeds


def _zarr(path: Path) -> None:
    """Read a Zarr folder in which the input replaces the metadata of an array."""
    with tempfile.TemporaryDirectory(dir=path.parent) as parent:
        folder = Path(parent) / "sweep.zarr"
        shutil.copytree(_zarr_folder(), folder)
        shutil.copyfile(path, folder / "status" / ".zarray")
        read_digest(folder)
        read_sweep(folder)


@cache
def _zarr_folder() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="quatviz-fuzz-")) / "sweep.zarr"
    atexit.register(shutil.rmtree, folder.parent, ignore_errors=True)
    with Sweep(_sweep_plan()) as sweep:
        write_sweep(make_dataset(_sweep_plan(), sweep.complete()), folder)
    return folder


def _zarr_descriptions(folder: Path) -> list[bytes]:
    return [path.read_bytes() for path in sorted(_zarr_folder().glob("*/.zarray"))]


def _lane(path: Path) -> None:
    Lane.from_string(path.read_bytes().decode("utf-8", "replace"))


def _files(folder: Path, pattern: str) -> list[bytes]:
    return [path.read_bytes() for path in sorted(folder.glob(pattern))]


def _presets(folder: Path) -> list[bytes]:
    return _files(resources.preset_folder(), "*.toml")


def _sessions(folder: Path) -> list[bytes]:
    looks = [ViewState(), all_fields_changed()]
    presets = [read_preset(path) for path in sorted(resources.preset_folder().glob("*.toml"))[:6]]
    written = [format_session(Session(preset, look)).encode() for preset in presets for look in looks]
    first = Path(__file__).parents[1] / "support" / "session_of_the_first_version.toml"
    return [*written, first.read_bytes()]


def _looks(folder: Path) -> list[bytes]:
    return [format_view_state(ViewState()).encode(), *_sessions(folder)]


def _settings_seeds(folder: Path) -> list[bytes]:
    from quatviz.display.document.window_memory import WindowMemory

    seeds = []
    for look in (ViewState(), all_fields_changed()):
        tables = {**WindowMemory(True, "AdnQywADAAA=", look).to_table(SETTINGS_SCOPES)}
        view_table = tables.pop("look", {})
        seeds.append(f"{toml_tables(tables, '')}\n{toml_tables(view_table, 'look')}".encode())
    return seeds


def _lane_texts(folder: Path) -> list[bytes]:
    return [
        b"hamilton",
        b"lagrange_full/split, dt=1e-2, integrator=rk4, stabilisation=project, name=coarse",
        b"lagrange_full/gradient,alpha=1,beta=2,J0=3",
    ]


def _shorts(folder: Path) -> list[bytes]:
    return [to_short_text(parse_session(text.decode())).encode() + b"\n" + text for text in _sessions(folder)]


def _lessons(folder: Path) -> list[bytes]:
    return [path.read_bytes() for path in lesson_paths().values()]


def _pages(folder: Path) -> list[bytes]:
    return [*_files(resources.asset_path("help"), "*.md"), *_lessons(folder)]


def _formulae(folder: Path) -> list[bytes]:
    formulae = {
        " ".join(token.content.split())
        for page in _pages(folder)
        for token in markdown.tokens(page.decode())
        if "math" in token.type
    }
    formulae |= {
        " ".join(child.content.split())
        for page in _pages(folder)
        for token in markdown.tokens(page.decode())
        for child in token.children or ()
        if "math" in child.type
    }
    return [latex.encode() for latex in sorted(formulae)]


def _expressions(folder: Path) -> list[bytes]:
    return [
        b"2*sin(3*t)",
        b"-t**2 + max(1, 2, exp(-t))",
        b"(1 + (2 - pi)) / sqrt(abs(t)) * min(3e-2, .5)",
        b"-0.0",
    ]


def _typed_numbers(folder: Path) -> list[bytes]:
    return [
        "0,25 kg cm²".encode(),
        b"t = 2 pi/3 rad",
        "−1e-3 N m^2/rad".encode(),
        b"array([[1., 0],\n [0, 2e3]])",
        b"3 sin(2pi t) deg/s",
    ]


def _meshes(folder: Path) -> list[bytes]:
    box = trimesh.creation.box(SIZES)
    meshes = [trimesh.exchange.stl.export_stl_ascii(box).encode()]
    for file_type in ("stl", "obj", "glb"):
        exported = box.export(file_type=file_type)
        meshes.append(exported.encode() if isinstance(exported, str) else exported)
    return meshes


@cache
def _run() -> Simulation:
    preset = read_preset(resources.preset_folder() / "torque_free.toml")
    run = Simulation(preset.with_run(lanes=[Lane("newton_euler")], duration=0.2))
    run.complete()
    return run


@cache
def _recorded_motion() -> Recording:
    lane = _run().lanes[0]
    return Recording(lane.t, p=normalize(lane.p), omega=lane.omega)


def _motion_texts(folder: Path) -> list[bytes]:
    conventions = [
        Convention(), Convention(order="scalar_last", rate_unit="deg/s"), Convention("angles", sequence="313", angle_unit="deg"),
        Convention("matrix"),
    ]  # fmt: skip
    for number, convention in enumerate(conventions):
        write_recording(_recorded_motion(), folder / f"{number}.csv", convention)
    plain = _files(folder, "*.csv")
    comma = plain[0].replace(b",", b";").replace(b".", b",")
    dated = re.sub(rb"(?m)^0\.(\d+),", lambda match: b"2026-11-25T13:20:00." + match[1][:6] + b"Z,", plain[0])
    return [*plain, b"\xef\xbb\xbf" + comma, plain[0].replace(b",", b"\t").replace(b"\n", b"\r\n"), dated]


def _messages(folder: Path) -> list[bytes]:
    path = folder / "a.aem"
    write_recording(_recorded_motion(), path)
    data = path.read_bytes()
    first = data.replace(b"VERS = 2.0", b"VERS = 1.0").replace(b"QUATERNION/ANGVEL", b"QUATERNION/RATE")
    return [data, first.replace(b"ANGVEL_FRAME", b"ATTITUDE_DIR = B2A\nQUATERNION_TYPE = FIRST\nRATE_FRAME")]


def _xml_messages(folder: Path) -> list[bytes]:
    states = "".join(
        f"<attitudeState><quaternionState><EPOCH>2026-11-25T13:20:{t:06.3f}</EPOCH><quaternion><Q1>{p[1]}</Q1><Q2>{p[2]}</Q2>"
        f"<Q3>{p[3]}</Q3><QC>{p[0]}</QC></quaternion></quaternionState></attitudeState>"
        for t, p in zip(_recorded_motion().t.tolist(), _recorded_motion().p.tolist(), strict=True)
    )
    metadata = "<REF_FRAME_A>EME2000</REF_FRAME_A><REF_FRAME_B>SC_BODY_1</REF_FRAME_B><ATTITUDE_TYPE>QUATERNION</ATTITUDE_TYPE>"
    return [
        f'<?xml version="1.0"?><aem version="2.0"><header/><body><segment><metadata>{metadata}</metadata><data>{states}</data>'
        "</segment></body></aem>".encode()
    ]


def _stk_files(folder: Path) -> list[bytes]:
    rows = zip(_recorded_motion().t.tolist(), _recorded_motion().p.tolist(), strict=True)
    lines = "\n".join(f"{t} {p[1]} {p[2]} {p[3]} {p[0]}" for t, p in rows)
    return [
        f"stk.v.11.0\nBEGIN Attitude\nCoordinateAxes ICRF\nAttitudeTimeQuaternions\n{lines}\nEND Attitude\n".encode()
    ]


def _storage_files(folder: Path) -> list[bytes]:
    rows = zip(_recorded_motion().t.tolist(), _recorded_motion().p.tolist(), strict=True)
    lines = "\n".join(f"{t}\t{','.join(map(repr, p))}" for t, p in rows)
    return [f"DataRate=100\nDataType=Quaternion\nversion=3\nendheader\ntime\tpelvis\n{lines}\n".encode()]


def _archives(folder: Path) -> list[bytes]:
    path = folder / "a.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("Gyroscope.csv", _motion_texts(folder)[0])
        archive.writestr("meta/device.csv", '"property","value"\n')
    return [path.read_bytes()]


def _bags(suffix: str) -> Callable[[Path], list[bytes]]:
    def seeds(folder: Path) -> list[bytes]:
        from rosbags.rosbag2 import StoragePlugin, Writer
        from rosbags.typesys import Stores, get_typestore

        store = get_typestore(Stores.ROS2_HUMBLE)
        types, message_type = store.types, "geometry_msgs/msg/PoseStamped"
        plugin = StoragePlugin.MCAP if suffix == ".mcap" else StoragePlugin.SQLITE3
        position = types["geometry_msgs/msg/Point"](0.0, 0.0, 0.0)
        with Writer(folder / f"bag{suffix}", version=9, storage_plugin=plugin) as bag:
            topic = bag.add_connection("/pose", message_type, typestore=store)
            for t, p in zip(_recorded_motion().t, _recorded_motion().p.tolist(), strict=True):
                stamp = 10**9 + round(t * 1e9)
                head = types["std_msgs/msg/Header"](
                    types["builtin_interfaces/msg/Time"](1, stamp - 10**9), "odom"
                )
                pose = types["geometry_msgs/msg/Pose"](
                    position, types["geometry_msgs/msg/Quaternion"](*p[1:], p[0])
                )
                bag.write(topic, stamp, store.serialize_cdr(types[message_type](head, pose), message_type))
        return [path.read_bytes() for path in (folder / f"bag{suffix}").iterdir() if path.suffix == suffix]

    return seeds


def _ros1_bags(folder: Path) -> list[bytes]:
    from rosbags.rosbag1 import Writer
    from rosbags.typesys import Stores, get_typestore

    store = get_typestore(Stores.ROS1_NOETIC)
    types, message_type = store.types, "geometry_msgs/msg/QuaternionStamped"
    seeds = []
    for compression in (None, Writer.CompressionFormat.BZ2):
        path = folder / f"{compression}.bag"
        writer = Writer(path)
        if compression is not None:
            writer.set_compression(compression)
        with writer as bag:
            topic = bag.add_connection("/attitude", message_type, typestore=store)
            for t, p in zip(_recorded_motion().t, _recorded_motion().p.tolist(), strict=True):
                stamp = round(t * 1e9)
                time = types["builtin_interfaces/msg/Time"](1 + stamp // 10**9, stamp % 10**9)
                quaternion = types["geometry_msgs/msg/Quaternion"](*p[1:], p[0])
                message = types[message_type](types["std_msgs/msg/Header"](0, time, "body"), quaternion)
                bag.write(topic, 10**9 + stamp, store.serialize_ros1(message, message_type))
        seeds.append(path.read_bytes())
    return seeds


def _camera_logs(folder: Path) -> list[bytes]:
    rows = zip(_recorded_motion().t.tolist(), _recorded_motion().omega.tolist(), strict=True)
    lines = "\n".join(f"{round(1e3 * t)},{','.join(str(round(1e4 * x)) for x in w)}" for t, w in rows)
    head = "GYROFLOW IMU LOG\nversion,1.3\nid,a\norientation,YxZ\ntscale,0.001\ngscale,0.0001\nt,gx,gy,gz\n"
    return [(head + lines + "\n").encode()]


def _labview_files(folder: Path) -> list[bytes]:
    head = "LabVIEW Measurement\t\nSeparator\tTab\nX_Columns\tOne\n***End_of_Header***\t\n\t\nChannels\t3\t\t\t\n"
    head += "Y_Unit_Label\tdeg/s\tdeg/s\tdeg/s\t\nX_Dimension\tTime\tTime\tTime\t\nX0\t0\t0\t0\t\nDelta_X\t0.01\t0.01\t0.01\t\n"
    head += "***End_of_Header***\t\t\t\t\nX_Value\tGyro_X\tGyro_Y\tGyro_Z\tComment\n"
    rows = zip(_recorded_motion().t.tolist(), _recorded_motion().omega.tolist(), strict=True)
    text = head + "".join(f"{t}\t{w[0]}\t{w[1]}\t{w[2]}\n" for t, w in rows)
    return [text.encode(), text.replace("X_Columns\tOne", "X_Columns\tNo").encode()]


def _ardupilot_texts(folder: Path) -> list[bytes]:
    text = "FMT, 128, 89, FMT, BBnNZ, Type,Length,Name,Format,Columns\nFMT, 133, 24, IMU, QBfff, TimeUS,I,GyrX,GyrY,GyrZ\n"
    rows = zip(_recorded_motion().t.tolist(), _recorded_motion().omega.tolist(), strict=True)
    log = text + "".join(f"IMU, {round(1e6 * t)}, 0, {w[0]}, {w[1]}, {w[2]}\n" for t, w in rows)
    return [log.encode(), _motion_texts(folder)[0]]  # any table may be called .log


def _ardupilot_logs(folder: Path) -> list[bytes]:
    entries = [(128, 89, b"FMT", b"BBnNZ", b"Type,Length,Name,Format,Columns")]
    entries += [(133, 24, b"IMU", b"QBfff", b"TimeUS,I,GyrX,GyrY,GyrZ")]
    data = b"".join(b"\xa3\x95\x80" + struct.pack("<BB4s16s64s", *entry) for entry in entries)
    rows = zip(_recorded_motion().t.tolist(), _recorded_motion().omega.tolist(), strict=True)
    return [data + b"".join(b"\xa3\x95\x85" + struct.pack("<QB3f", round(1e6 * t), 0, *w) for t, w in rows)]


def _model_motions(folder: Path) -> list[bytes]:
    rows = zip(_recorded_motion().t.tolist(), _recorded_motion().p.tolist(), strict=True)
    lines = "\n".join(f"{t}\t{p[1]}\t{p[2]}\t{p[3]}" for t, p in rows)
    head = "Coordinates\nversion=1\nnRows=3\nnColumns=4\ninDegrees=yes\nendheader\ntime\tyaw\tpitch\troll\n"
    return [(head + lines + "\n").encode()]


def _tables(suffix: str) -> Callable[[Path], list[bytes]]:
    def seeds(folder: Path) -> list[bytes]:
        path = folder / f"run{suffix}"
        write_table(_run(), path)
        return [path.read_bytes()]

    return seeds


@cache
def readers() -> dict[str, FuzzReader]:
    """Return all readers by name."""
    all_readers = [
        FuzzReader("preset", ".toml", _preset, _presets),
        FuzzReader("session", ".toml", _session, _sessions),
        FuzzReader("look", ".toml", _look, _looks),
        FuzzReader("settings", ".toml", _settings, _settings_seeds),
        FuzzReader("kept", ".toml", _user_lists, _user_list_seeds),
        FuzzReader("lane", ".txt", _lane, _lane_texts),
        FuzzReader("short", ".txt", _short, _shorts),
        FuzzReader("lesson", ".md", _lesson, _lessons, refusals=(InputError, MalformedFormula)),
        FuzzReader("markdown", ".md", _markdown, _pages, refusals=(MalformedFormula,)),
        FuzzReader("latex", ".txt", _latex, _formulae, refusals=(MalformedFormula,)),
        FuzzReader("typeset", ".txt", _typeset, _formulae, refusals=(MalformedFormula,)),
        FuzzReader("expression", ".txt", _expression, _expressions),
        FuzzReader("typed", ".txt", _typed_number, _typed_numbers),
    ]
    all_readers += [
        FuzzReader(f"mesh{suffix}", suffix, _mesh, _meshes, text=False) for suffix in (".stl", ".obj", ".glb")
    ]
    all_readers += [
        FuzzReader("motion.csv", ".csv", _motion, _motion_texts),
        FuzzReader("motion.aem", ".aem", _motion, _messages),
        FuzzReader("motion.xml", ".xml", _motion, _xml_messages),
        FuzzReader("motion.a", ".a", _motion, _stk_files),
        FuzzReader("motion.sto", ".sto", _motion, _storage_files),
        FuzzReader("motion.mot", ".mot", _motion, _model_motions),
        FuzzReader("motion.gcsv", ".gcsv", _motion, _camera_logs),
        FuzzReader("motion.lvm", ".lvm", _motion, _labview_files),
        FuzzReader("motion.log", ".log", _motion, _ardupilot_texts),
        FuzzReader("motion.bin", ".bin", _motion, _ardupilot_logs, text=False),
        FuzzReader("motion.bag", ".bag", _motion, _ros1_bags, text=False),
        FuzzReader("motion.zip", ".zip", _motion, _archives, text=False),
        *(
            FuzzReader(f"motion{suffix}", suffix, _motion, _bags(suffix), text=False)
            for suffix in (".mcap", ".db3")
        ),
        FuzzReader("motion.npz", ".npz", _motion, _tables(".npz"), text=False),
        FuzzReader("motion.parquet", ".parquet", _motion, _tables(".parquet"), text=False),
        FuzzReader("motion.h5", ".h5", _motion_hdf5, _motion_tables, text=False),
    ]
    all_readers += [
        FuzzReader("sweep.chunk", ".npz", _chunk, _kept_chunks, text=False),
        FuzzReader("sweep.zarr", ".json", _zarr, _zarr_descriptions),
        FuzzReader("sweep.nc", ".nc", read_sweep, _sweeps(".nc"), text=False),
        FuzzReader("sweep.parquet", ".parquet", _digest, _sweeps(".parquet"), text=False),
    ]
    for table_format in FORMATS.values():
        suffix = table_format.suffixes[0]
        for name, read in (("table", read_session_of_table), ("recording", load_run)):
            all_readers.append(
                FuzzReader(f"{name}{suffix}", suffix, read, _tables(suffix), text=suffix == ".csv")
            )
    return {reader.name: reader for reader in all_readers}
