"""`quatviz new KIND NAME`: write a skeleton of a formulation, integrator, load, quantity, panel, tool, lesson or preset.

quatviz new formulation my_form             write a working package with help and test: see extending.md
"""

import os
import re
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path

from quatviz.base import resources
from quatviz.base.errors import InputError
from quatviz.base.registry import entry_names
from quatviz.commands.support.terminal import CommandParser
from quatviz.files.files import make_folder, write_text

PLACE = 45

ENTRY_POINT_GROUPS = {
    "formulation": "formulations",
    "integrator": "integrators",
    "load": "loads",
    "quantity": "quantities",
    "panel": "panels",
    "tool": "tools",
}
"""Name of the entry point group for each type of extension that is Python code. For these types, a whole package is written."""
EXTENSION_TYPES = (*ENTRY_POINT_GROUPS, "lesson", "preset")
_NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
_PROJECT = """\
[build-system]
requires = ["hatchling>=1.27,<2"]
build-backend = "hatchling.build"

[project]
name = "quatviz-{dashed}"
version = "0.1.0"
description = "{title}: a {kind} for quatviz"
requires-python = ">=3.11"
dependencies = ["quatviz"]

[project.entry-points."quatviz.{group}"]
{name} = "quatviz_{name}"

[tool.hatch.build.targets.wheel]
only-include = ["quatviz_{name}.py"]
"""


def main(argv: Sequence[str]) -> int:
    """Write the files of a skeleton. Return 2 if the files or an extension of this name already exist."""
    parser = CommandParser(
        prog="quatviz new",
        description="Write a working, tested skeleton: a package for code, a file for a lesson or a preset.",
    )
    parser.add_argument("kind", choices=EXTENSION_TYPES)
    parser.add_argument("name", help="lower-case letters, digits and underscores, such as my_form")
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="FOLDER",
        help="folder to write to (default: a new folder NAME)",
    )
    args = parser.parse_args(argv)
    folder = args.output or Path(args.name)
    for path in write_skeleton(args.kind, args.name, folder):
        print(path)
    print(f"\n{_next_steps(args.kind, args.name, folder)}")
    return 0


def write_skeleton(extension_type: str, name: str, folder: Path) -> list[Path]:
    """Write a skeleton called `name` into `folder`, which is created, and return the files."""
    _refuse_arguments(extension_type, name, folder)
    files = dict(_skeleton_files(extension_type, name))
    make_folder(folder)
    for path, text in files.items():
        write_text(folder / path, text)
    return [folder / path for path in files]


def _skeleton_files(extension_type: str, name: str) -> Iterator[tuple[str, str]]:
    """Yield names and texts of the files: the extension, its test and, for code, its project file."""
    templates = resources.asset_path("new") / extension_type
    test = f"test_{name}.py"
    if extension_type == "lesson":
        text = (resources.asset_path("lessons") / "_template.md").read_text("utf-8")
        yield f"{name}.md", re.sub(r"\A# .*", f"# {_title(name)}", text)
    elif extension_type == "preset":
        text = (resources.preset_folder() / "torque_free.toml").read_text("utf-8")
        title, source = (f'{key} = "{value}"' for key, value in (("title", _title(name)), ("source", "")))
        text = re.sub(r"^title = .*$", title, text, count=1, flags=re.MULTILINE)
        yield f"{name}.toml", re.sub(r"^source = .*$", source, text, count=1, flags=re.MULTILINE)
    else:
        yield f"quatviz_{name}.py", _fill_template((templates / "new_name.py").read_text("utf-8"), name)
        fields = {"name": name, "dashed": name.replace("_", "-"), "title": _title(name)}
        project = _PROJECT.format(kind=extension_type, group=ENTRY_POINT_GROUPS[extension_type], **fields)
        tomllib.loads(project)
        yield "pyproject.toml", project
    yield test, _fill_template((templates / "test_new_name.py").read_text("utf-8"), name)


def _fill_template(text: str, name: str) -> str:
    """Return the text of a template in which the placeholder for the name is replaced by `name`."""
    camel = "".join(part.capitalize() for part in name.split("_"))
    slug = name.replace("_", "-")
    for old, new in (("NewName", camel), ("new-name", slug), ("new_name", name), ("New name", _title(name))):
        text = text.replace(old, new)
    return text


def _title(name: str) -> str:
    return name.replace("_", " ").capitalize()


def _next_steps(extension_type: str, name: str, folder: Path) -> str:
    """Return instructions for the user's next steps, in a few lines."""
    if extension_type == "lesson":
        return f"check its numbers with: quatviz lessons --check {folder / name}.md"
    if extension_type == "preset":
        return f"open it with: quatviz {folder / name}.toml"
    return f"install it with: pip install -e {folder}; test it with: pytest {folder}; see also: quatviz help extending"


def _refuse_arguments(extension_type: str, name: str, folder: Path) -> None:
    if not _NAME.fullmatch(name):
        raise InputError(
            "NAME",
            expected="lower-case letters, digits and single underscores, beginning with a letter",
            found=repr(name),
            remedy="write for example my_form",
            topic="extending#start-from-a-template",
        )
    if extension_type in ENTRY_POINT_GROUPS and name in entry_names(ENTRY_POINT_GROUPS[extension_type]):
        raise InputError(
            "NAME",
            expected=f"a name that is not used by another {extension_type}",
            found=repr(name),
            remedy="choose another name",
            topic="extending#all-kinds",
        )
    if os.path.exists(folder) and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError(
            str(folder),
            expected="an empty or new folder",
            found="a folder with files in it" if folder.is_dir() else "a file of that name",
            remedy="choose another name, or another folder with -o",
            topic="errors#files",
        )
