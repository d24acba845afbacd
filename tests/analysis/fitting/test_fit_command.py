"""`quatviz fit` and `qv.fit_body`: from a file to a preset that contains the recording."""

import re
from pathlib import Path

import numpy as np
import pytest

import quatviz as qv
from quatviz.base.errors import InputError
from quatviz.cli import main
from quatviz.physics.exact import solve
from quatviz.physics.mechanics.body import Body
from quatviz.recordings.loading import load


def make_throw(path: Path) -> np.ndarray:
    """A file with a free flight from 1 s to 4 s between throw and catch, and the moment ratios."""
    t = np.arange(0.0, 5.0, 0.01)
    body = Body(inertia=[1.0, 2.0, 2.7])
    _, omega = solve(body, [], np.array([1.0, 0.0, 0.0, 0.0]), np.array([0.3, 4.0, 1.0])).evaluate(t)
    omega += 0.02 * np.random.default_rng(1).standard_normal(omega.shape)
    omega[(t < 1.0) | (t > 4.0)] *= 0.3
    lines = [
        "t [s],wx [rad/s],wy [rad/s],wz [rad/s]",
        *(",".join(f"{x:.7g}" for x in row) for row in np.column_stack([t + 10.0, omega])),
    ]
    path.write_text("\n".join(lines))
    return np.array([1.0, 2.0, 2.7]) / 2.7


def test_command_fits_a_file_and_writes_a_preset(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    moments = make_throw(tmp_path / "throw.csv")
    arguments = ["fit", str(tmp_path / "throw.csv"), "--start", "11.005", "--stop", "14"]
    assert main([*arguments, "-n"]) == 0
    assert not (tmp_path / "throw_fit.toml").exists()
    assert main(arguments) == 0
    printed = capsys.readouterr().out
    assert "moment about axis 3" in printed
    assert "the largest" in printed
    assert "scale of the inertia" in printed
    preset = qv.load_preset(tmp_path / "throw_fit.toml")
    principal_moments = np.sort(np.linalg.eigvalsh(preset.body.inertia))
    assert principal_moments == pytest.approx(moments, abs=0.01)
    run = qv.simulate(preset)
    apart = run["newton_euler"].omega - run["recording"].omega
    assert np.sqrt(np.nanmean(apart**2)) < 0.03


def test_fit_recovers_the_thrown_phone() -> None:
    """The body is a brick of 71.5 by 147 by 7.8 mm with slightly rotated axes."""
    preset = qv.load_preset("thrown_phone")
    reading = preset.lanes[2].recording
    assert "made by quatviz with noise, not measured" in preset.source
    assert reading.path.read_text().startswith("# Made by quatviz with noise, not measured")
    fit = qv.fit_body(load(reading).recording)
    assert np.allclose(fit.inertia, preset.body.inertia, atol=1e-4)
    assert np.allclose(fit.guess.omega, preset.initial.angular_velocity, atol=1e-3)
    size = preset.body.size
    moments = np.sum(size**2) - size**2
    low, high = fit.intervals.T
    assert ((low <= moments / moments.max()) & (moments / moments.max() <= high)).all()
    assert fit.noise_ratio < 1.2
    matches = re.findall(r"0\.(\d+) ± ([\d.e-]+\d)", str(fit.sentence))
    assert len(matches) == 2
    for decimals, sure in matches:
        assert 9.5 < float(sure) * 10 ** len(decimals) < 100.5, "no digits that mean nothing"


def test_preset_is_written_next_to_the_recording(tmp_path: Path) -> None:
    make_throw(tmp_path / "throw.csv")
    (tmp_path / "in").mkdir()
    output = str(tmp_path / "in" / "fit.toml")
    assert main(["fit", str(tmp_path / "throw.csv"), "-o", output]) == 2
    assert main(["fit", str(tmp_path / "throw.csv"), "-o", str(tmp_path / "fit.txt")]) == 2


def test_script_fits_a_time_range(tmp_path: Path) -> None:
    t = np.arange(0.0, 4.0, 0.02)
    _, omega = solve(
        Body(inertia=[1.0, 2.0, 2.7]), [], np.array([1.0, 0, 0, 0]), np.array([0.3, 4.0, 1.0])
    ).evaluate(t)
    omega[t > 3.0] = 1.0
    progress = list[float]()
    fit = qv.fit_body(qv.Recording(t, omega=omega), span=(0.5, 3.0), progress=progress.append)
    assert fit.moments == pytest.approx(np.array([1.0, 2.0, 2.7]) / 2.7, abs=1e-8)
    assert (fit.residuals.t[0], fit.residuals.t[-1]) == pytest.approx((0.5, 3.0))
    assert progress
    with pytest.raises(InputError, match="a recording"):
        qv.fit_body(omega)  # type: ignore[arg-type]
