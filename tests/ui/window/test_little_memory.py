"""A window with little memory and disk space: a run that fits into neither is rejected before it starts."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from waiting import TIMEOUT_SECONDS

CHILD = """
import json, resource
from dataclasses import replace
from PySide6.QtCore import QTimer
import quatviz as qv
from quatviz.app import WindowController, make_application
resource.setrlimit(resource.RLIMIT_DATA, (1_500_000_000,) * 2)
resource.setrlimit(resource.RLIMIT_FSIZE, (16_000_000,) * 2)
app = make_application()
session = WindowController(qv.load_preset("torque_free"))
session.open()

def edit():
    found = {}
    for name, duration in (("long", 4e5), ("short", 30.0)):
        refusal = session.document.propose(
            name, lambda state: state.with_preset(run=replace(state.preset.run, duration=duration))
        )
        found[name] = [session.simulation.preset.run.duration, refusal and [refusal.key, *refusal.args]]
    found["fault"] = repr(session.worker.error)
    print(json.dumps(found))
    session.window.close()
    app.quit()

QTimer.singleShot(300, edit)
app.exec()
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the system limits other things")
def test_runs_exceeding_memory_and_disk_are_rejected(tmp_path: Path) -> None:
    environment = {
        **os.environ,
        "QUATVIZ_SETTINGS_DIR": str(tmp_path),
        "PYTHONPATH": str(Path(__file__).parents[3]),
    }
    done = subprocess.run(
        [sys.executable, "-c", CHILD],
        env=environment,
        capture_output=True,
        text=True,
        timeout=TIMEOUT_SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    output = json.loads(done.stdout)
    duration, (key, message) = output["long"]
    assert (duration, key) == (40.0, "run.duration")
    assert "40,000,001 samples of a lane, 2.2 GB" in message
    assert "choose a longer sample_interval" in message
    assert output["short"] == [30.0, None], "the run continues"
    assert output["fault"] == "None"
