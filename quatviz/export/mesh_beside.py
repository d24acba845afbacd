"""A preset names its mesh file and does not hold it: what keeps the preset keeps the file beside it."""

from __future__ import annotations

from pathlib import Path

from quatviz.core.body import Body
from quatviz.core.errors import Refusal, phrase
from quatviz.core.meshes import is_mesh
from quatviz.export.files import replacing


def bring_mesh(body: Body, folder: Path, over: bool = False) -> None:
    """Copy the mesh file of `body` into `folder`; nothing where it has none, or where it is there. `Refusal` where another
    file is in its place, unless it is to be written `over`."""
    if not is_mesh(body.shape) or body.folder is None:
        return
    source, target = body.folder / body.shape, folder / body.shape
    if not source.is_file() or source.resolve() == target.resolve():
        return
    data = source.read_bytes()
    if target.exists():
        same = target.read_bytes() == data
        if not same and not over:
            raise Refusal(
                str(target),
                expected=phrase("the mesh {source}, or no file of its name", source=source),
                found="another file",
                remedy="keep the run in another folder, or rename one of the two files",
                topic="errors#files",
            )
        if same:
            return
    target.parent.mkdir(parents=True, exist_ok=True)
    with replacing(target) as fresh:
        fresh.write_bytes(data)
