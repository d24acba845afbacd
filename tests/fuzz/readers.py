"""Everything that reads what a stranger may have written: how it is read, from what right inputs wrong ones are made, and what
must hold of an input that is accepted."""

import os
import shutil
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path

import numpy as np
import trimesh
from looks import everything

from quatviz.base import markdown, resources
from quatviz.base.errors import InputError
from quatviz.base.expression import Expression
from quatviz.base.latex import Malformed, plain_text
from quatviz.export.files import read_settings, write_table
from quatviz.export.formats import FORMATS
from quatviz.geometry.meshes import read_mesh, refuse_unclosed
from quatviz.lessons.leading import pages_of
from quatviz.lessons.reading import lesson_paths, read_heading, read_lesson
from quatviz.look.look import IN_SETTINGS, Look, format_look, parse_look, read_look, toml_tables
from quatviz.look.session import Session, format_session, from_short, parse_session, read_session, to_short
from quatviz.scripting.calls import load_run
from quatviz.simulation.simulation import Simulation
from quatviz.text.preset import Lane
from quatviz.text.preset_text import format_preset, parse_preset, read_preset

SIZES = (1.0, 2.0, 3.0)


@dataclass(frozen=True)
class Reader:
    """What is fuzzed: `read` takes a file that holds an input and whose name ends in `suffix`. It ends in silence or in one of
    `refusals`; all else is a fault."""

    name: str
    suffix: str
    read: Callable[[Path], object]
    seeds: Callable[[Path], Sequence[bytes]]
    """Right inputs, made with the help of an empty folder."""
    text: bool = True
    refusals: tuple[type[Exception], ...] = (InputError,)


def _preset(path: Path) -> None:
    preset = read_preset(path)
    text = format_preset(preset)
    assert format_preset(parse_preset(text, folder=path.parent)) == text, (
        "written and read again it is another"
    )


def _session(path: Path) -> None:
    session = read_session(path)
    text = format_session(session)
    assert format_session(parse_session(text, folder=path.parent)) == text, (
        "written and read again it is another"
    )


def _look(path: Path) -> None:
    look = read_look(path)
    assert parse_look(format_look(look)) == look, "written and read again it is another"


def _short(path: Path) -> None:
    """As it stands, and with the text in it changed and packed with a right check sum."""
    text = path.read_bytes().decode("utf-8", "replace")
    try:
        from_short(text)
    except InputError:
        from_short(text.partition("\n")[2])


def _lesson(path: Path) -> None:
    read_heading(path)
    lesson = read_lesson(path)
    for step in lesson.steps:
        for part in step.parts:
            _html(part.words)
    assert pages_of(lesson)


def _markdown(path: Path) -> None:
    _html(path.read_bytes().decode("utf-8", "replace"))


def _html(words: str) -> None:
    made = markdown.html_of(words, lambda latex, shown: escape(markdown.letters_of(latex)))
    assert "<script" not in made
    assert "<img" not in made
    markdown.plain(words)


def _latex(path: Path) -> None:
    plain_text(path.read_bytes().decode("utf-8", "replace"))


def _expression(path: Path) -> None:
    Expression(path.read_bytes().decode("utf-8", "replace")).at(np.linspace(-1.0, 1.0, 3))


def _mesh(path: Path) -> None:
    refuse_unclosed(read_mesh(path), path.name)


def _settings(path: Path) -> None:
    """What is damaged is mended at once."""
    from quatviz.ui.window.settings import Settings

    before = os.environ.get("QUATVIZ_SETTINGS_DIR", "")
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        os.environ["QUATVIZ_SETTINGS_DIR"] = folder
        try:
            shutil.copyfile(path, resources.settings_folder() / "window.toml")
            Settings().mend()
            assert Settings().mend() == "", "it is damaged still"
        finally:
            os.environ["QUATVIZ_SETTINGS_DIR"] = before


def _lane(path: Path) -> None:
    Lane.from_string(path.read_bytes().decode("utf-8", "replace"))


def _files(folder: Path, pattern: str) -> list[bytes]:
    return [path.read_bytes() for path in sorted(folder.glob(pattern))]


def _presets(folder: Path) -> list[bytes]:
    return _files(resources.preset_folder(), "*.toml")


def _sessions(folder: Path) -> list[bytes]:
    looks = [Look(), everything()]
    presets = [read_preset(path) for path in sorted(resources.preset_folder().glob("*.toml"))[:6]]
    written = [format_session(Session(preset, look)).encode() for preset in presets for look in looks]
    first = Path(__file__).parents[1] / "core" / "session_of_the_first_version.toml"
    return [*written, first.read_bytes()]


def _looks(folder: Path) -> list[bytes]:
    return [format_look(Look()).encode(), *_sessions(folder)]


def _remembered(folder: Path) -> list[bytes]:
    from quatviz.ui.window.settings import Memory

    seeds = []
    for look in (Look(), everything()):
        tables = {**Memory(True, "AdnQywADAAA=", look).to_table(IN_SETTINGS)}
        shown = tables.pop("look", {})
        seeds.append(f"{toml_tables(tables, '')}\n{toml_tables(shown, 'look')}".encode())
    return seeds


def _lane_words(folder: Path) -> list[bytes]:
    return [
        b"hamilton",
        b"lagrange_full/split, dt=1e-2, integrator=rk4, stabilisation=project, name=coarse",
        b"lagrange_full/gradient,alpha=1,beta=2,J0=3",
    ]


def _shorts(folder: Path) -> list[bytes]:
    return [to_short(parse_session(text.decode())).encode() + b"\n" + text for text in _sessions(folder)]


def _lessons(folder: Path) -> list[bytes]:
    return [path.read_bytes() for path in lesson_paths().values()]


def _pages(folder: Path) -> list[bytes]:
    return [*_files(resources.asset("help"), "*.md"), *_lessons(folder)]


def _formulae(folder: Path) -> list[bytes]:
    found = {
        " ".join(token.content.split())
        for page in _pages(folder)
        for token in markdown.tokens(page.decode())
        if "math" in token.type
    }
    found |= {
        " ".join(child.content.split())
        for page in _pages(folder)
        for token in markdown.tokens(page.decode())
        for child in token.children or ()
        if "math" in child.type
    }
    return [latex.encode() for latex in sorted(found)]


def _expressions(folder: Path) -> list[bytes]:
    return [
        b"2*sin(3*t)",
        b"-t**2 + max(1, 2, exp(-t))",
        b"(1 + (2 - pi)) / sqrt(abs(t)) * min(3e-2, .5)",
        b"-0.0",
    ]


def _meshes(folder: Path) -> list[bytes]:
    box = trimesh.creation.box(SIZES)
    found = [trimesh.exchange.stl.export_stl_ascii(box).encode()]
    for kind in ("stl", "obj", "glb"):
        made = box.export(file_type=kind)
        found.append(made.encode() if isinstance(made, str) else made)
    return found


@cache
def _run() -> Simulation:
    preset = read_preset(resources.preset_folder() / "torque_free.toml")
    run = Simulation(preset.with_run(lanes=[Lane("newton_euler")], duration=0.2))
    run.complete()
    return run


def _tables(suffix: str) -> Callable[[Path], list[bytes]]:
    def seeds(folder: Path) -> list[bytes]:
        path = folder / f"run{suffix}"
        write_table(_run(), path)
        return [path.read_bytes()]

    return seeds


@cache
def readers() -> dict[str, Reader]:
    """All of them by name."""
    found = [
        Reader("preset", ".toml", _preset, _presets),
        Reader("session", ".toml", _session, _sessions),
        Reader("look", ".toml", _look, _looks),
        Reader("settings", ".toml", _settings, _remembered),
        Reader("lane", ".txt", _lane, _lane_words),
        Reader("short", ".txt", _short, _shorts),
        Reader("lesson", ".md", _lesson, _lessons, refusals=(InputError, Malformed)),
        Reader("markdown", ".md", _markdown, _pages, refusals=(Malformed,)),
        Reader("latex", ".txt", _latex, _formulae, refusals=(Malformed,)),
        Reader("expression", ".txt", _expression, _expressions),
    ]
    found += [
        Reader(f"mesh{suffix}", suffix, _mesh, _meshes, text=False) for suffix in (".stl", ".obj", ".glb")
    ]
    for kind in FORMATS.values():
        suffix = kind.suffixes[0]
        for name, read in (("table", read_settings), ("recording", load_run)):
            found.append(Reader(f"{name}{suffix}", suffix, read, _tables(suffix), text=suffix == ".csv"))
    return {reader.name: reader for reader in found}


def write(path: Path, data: bytes) -> None:
    """A file that is there to be looked at even where reading it kills the process."""
    with path.open("wb") as file:
        file.write(data)
        file.flush()
        os.fdatasync(file.fileno())
