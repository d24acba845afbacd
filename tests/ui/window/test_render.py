"""`quatviz render`: decoded films and pictures show what the program paints at these times."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from film_pictures import assert_shows, frames_of, mean_difference, pixels_of
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from quatviz import bootstrap, cli
from quatviz.commands.support import offscreen
from quatviz.display.view_state.theme import DARK, THEMES
from quatviz.ui.widgets.style import apply_theme

ROOT = Path(__file__).resolve().parents[3]
RUN = ["render", "torque_free", "--duration", "3", "--dt", "1e-2"]


@pytest.fixture(autouse=True)
def render_settings(qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> None:
    """Set the scale factor of the command, and restore theme and scale for the following tests."""
    monkeypatch.setenv("QT_SCALE_FACTOR", "1")
    apply_theme(qapp, DARK)


def render(path: Path, *arguments: str) -> int:
    return cli.main([*RUN, "-o", str(path), *arguments])


@pytest.mark.parametrize("theme", list(THEMES))
def test_film_frames_equal_pictures_of_the_same_times(
    theme: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    size, look = ("--size", "320x180"), ("--theme", theme)
    film, still = tmp_path / "film.mp4", tmp_path / "still.png"
    span = ("--from", "1", "--to", "2", "--fps", "5", "--speed", "0.5")
    assert render(film, *size, *look, *span) == 0
    assert "11 frames of 320 by 180, 2.20 s at 5 per second" in capsys.readouterr().out
    assert render(still, *size, *look, "--at", "1.4") == 0
    assert "still.png: a picture of the 3D view, " in capsys.readouterr().out
    frames = frames_of(film)
    assert len(frames) == 11
    assert frames[0].shape == (180, 320, 3)
    assert_shows(frames, 4, pixels_of(QImage(str(still))))
    assert (frames[0][90, 2].mean() > 200) == (theme != "dark")


def test_gif_of_the_window_equals_its_picture(tmp_path: Path) -> None:
    film, still = tmp_path / "film.gif", tmp_path / "still.png"
    size = ("--window", "--size", "640x360", "--theme", "light")
    assert render(film, *size, "--from", "1", "--to", "2", "--fps", "2", "--quiet") == 0
    assert render(still, *size, "--at", "1.5", "--quiet") == 0
    frames = frames_of(film)
    assert len(frames) == 3
    window = pixels_of(QImage(str(still)))
    distances = [mean_difference(frame, window) for frame in frames]
    assert np.argmin(distances) == 1
    assert distances[1] < 3.0
    assert mean_difference(frames[0], frames[2]) > 0.3
    assert window[:20].mean() > 200, "including the menu bar"


def test_figures_are_written_as_pdf_and_svg(tmp_path: Path) -> None:
    for name, head in (("a.pdf", b"%PDF"), ("a.svg", b"<?xml")):
        assert render(tmp_path / name, "--quantity", "h", "--quiet") == 0
        assert (tmp_path / name).read_bytes().startswith(head)
    assert render(tmp_path / "panels.svg", "--panel", "multiplier", "--panel", "cost", "--quiet") == 0
    assert (tmp_path / "panels.svg").read_bytes().startswith(b"<?xml")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-o", "film.mp4", "--size", "641x360"], "642 by 360"),
        (["-o", "film.mp4", "--size", "large"], "1280x720"),
        (["-o", "film.mp4", "--size", "9999x10"], "--size"),
        (["-o", "film.mp4", "--fps", "0"], "--fps"),
        (["-o", "film.gif", "--fps", "60"], "at most 50"),
        (["-o", "film.mp4", "--speed", "-1"], "--speed"),
        (["-o", "film.mp4", "--from", "2", "--to", "1"], "--from and --to"),
        (["-o", "film.mp4", "--to", "4"], "--duration 4"),
        (["-o", "film.mp4", "--theme", "sepia"], "projector"),
        (["-o", "still.png", "--at", "-1"], "--at"),
        (["-o", "still.png", "--at", "4"], "--duration 4"),
        (["-o", "nowhere/film.mp4"], "no such folder"),
        (["-o", "page.html", "--theme", "projector"], "light"),
        (["-o", "a.pdf", "--quantity", "hh"], "'hh'"),
        (["-o", "a.pdf", "--panel", "lambda"], "'lambda'"),
    ],
)
def test_invalid_values_are_rejected(
    arguments: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli.main([*RUN, *arguments]) == 2
    assert message in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_missing_pyav_is_reported_with_the_install_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "av", None)
    assert render(tmp_path / "film.mp4") == 2
    assert f'{sys.executable} -m pip install "av' in capsys.readouterr().err


def headless(path: Path, **more: str) -> subprocess.CompletedProcess[str]:
    environ = {
        name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")
    }
    environ |= {"PYTHONPATH": str(ROOT), "QT_QPA_PLATFORM": "", **more}
    arguments = ["--to", "0.2", "--fps", "10", "--size", "320x180", "-o", str(path)]
    command = [sys.executable, "-m", "quatviz", *RUN, *arguments]
    return subprocess.run(command, env=environ, capture_output=True, text=True, check=False)


def test_missing_display_is_replaced_by_a_virtual_one(tmp_path: Path) -> None:
    done = headless(tmp_path / "film.mp4")
    assert (done.returncode, done.stderr) == (0, "")
    body = [int(DARK.body[0][at : at + 2], 16) for at in (1, 3, 5)]
    shown = np.abs(frames_of(tmp_path / "film.mp4")[0].astype(int) - body).sum(axis=2) < 90
    assert shown.mean() > 0.01, "a solid body"


def test_missing_opengl_is_replaced_by_lines_with_a_message(tmp_path: Path) -> None:
    done = headless(tmp_path / "film.mp4", QT_QPA_PLATFORM="offscreen")
    assert done.returncode == 0, done.stderr
    assert done.stderr.startswith("quatviz: the 3D view is drawn as lines")
    assert done.stderr.count("\n") == 1
    frames = frames_of(tmp_path / "film.mp4")
    assert len(frames) == 3
    assert mean_difference(frames[0], frames[2]) > 0.1


def test_missing_virtual_display_is_replaced_by_offscreen_painting(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("QT_QPA_PLATFORM", "")
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(bootstrap, "is_installed", lambda need: need.category != "program")
    assert offscreen.rerun_with_display([]) is None
    assert os.environ["QT_QPA_PLATFORM"] == "offscreen"
    assert "xvfb" in capsys.readouterr().err
