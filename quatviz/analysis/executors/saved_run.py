"""Computation of a saved run in a subprocess, as a table that can be imported into another run."""

import shutil
import uuid
from pathlib import Path

from quatviz.analysis.executors.command import run_command
from quatviz.base import resources
from quatviz.files.files import make_folder
from quatviz.simulation.simulation import Progress

_TABLE_SUFFIX = ".parquet"
_NO_LANE_FINISHED = 3
"""Exit status of `quatviz run` if every lane ended early. Its samples are written nevertheless."""


def compute_saved_run(path: Path, progress: Progress) -> Path:
    """Compute the run of a session or preset, and return the path of a table with the samples of its lanes.

    The table is in a new folder of the cache folder, since a lane may show the table of an earlier call. The
    table of an earlier call is not reused, because samples also depend on the files that the session names, and
    on the installed version and plug-ins. Saving a session that uses the table copies it beside the session.

    Parameters
    ----------
    path
        File of the session or preset.
    progress
        Called with the completed fraction (0 to 1). An exception that it raises ends the computation.

    Raises
    ------
    InputError
        If the file cannot be read, or its run cannot be computed.
    """
    folder = resources.cache_folder() / "runs" / uuid.uuid4().hex
    make_folder(folder)
    table = folder / f"{path.stem}{_TABLE_SUFFIX}"
    try:
        run_command(
            ["run", str(path), "--output", str(table), "--quiet"],
            path,
            "a run that can be computed",
            progress,
            (0, _NO_LANE_FINISHED),
        )
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return table
