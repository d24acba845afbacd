"""Films as files: decoded frames equal the written ones; a partial file never replaces another one."""

import resource
import sys
import tomllib
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import quatviz as qv
from quatviz.export.film.film_writer import refuse_film, write_film
from quatviz.export.film.library import REQUIREMENT
from quatviz.export.film.palette import ColorPalette
from quatviz.export.film.plan import FilmPlan

PLAN = FilmPlan(96, 64, rate=20.0, speed=0.5, low=1.0, high=1.25)
RED = (0, 0, 255, 255)


def picture(number: int, plan: FilmPlan = PLAN) -> np.ndarray:
    """Return a red square that moves over a gradient from blue to green."""
    made = np.full((plan.height, plan.width, 4), 255, np.uint8)
    made[..., 0], made[..., 2] = 120, 30
    made[..., 1] = np.linspace(0, 200, plan.width)
    made[16:32, 4 * number : 4 * number + 16] = RED
    return made


def decoded(path: Path) -> tuple[Any, list[float], list[np.ndarray]]:
    """Return the stream, times [s], and pictures (height, width, 3) in RGB."""
    import av

    with av.open(str(path)) as container:
        stream = container.streams.video[0]
        frames = list(container.decode(video=0))
        times = [float(frame.time or 0.0) for frame in frames]
        return stream, times, [frame.to_ndarray(format="rgb24") for frame in frames]


def wrong(got: np.ndarray, wanted: np.ndarray) -> float:
    """Return the mean difference between two pictures, in levels."""
    return float(np.abs(got.astype(int) - wanted[..., 2::-1].astype(int)).mean())


@pytest.mark.parametrize(("suffix", "off"), [(".mp4", 4.0), (".gif", 4.0)])
def test_every_picture_is_written_at_its_time(suffix: str, off: float, tmp_path: Path) -> None:
    path = tmp_path / f"film{suffix}"
    pictures = [picture(number) for number in range(PLAN.frame_count)]
    write_film(path, PLAN, pictures, "A title")
    stream, times, frames = decoded(path)
    assert (stream.width, stream.height) == (96, 64)
    assert stream.average_rate == Fraction(20)
    assert times == pytest.approx([number / 20 for number in range(11)])
    for number, frame in enumerate(frames):
        differences = [wrong(frame, other) for other in pictures]
        assert np.argmin(differences) == number
        assert differences[number] < off
    assert frames[3][24, 20] == pytest.approx([255, 0, 0], abs=12)


def test_film_is_playable_in_browsers(tmp_path: Path) -> None:
    path = tmp_path / "film.mp4"
    write_film(path, PLAN, [picture(number) for number in range(PLAN.frame_count)], "A title")
    stream, _, _ = decoded(path)
    assert stream.codec_context.name == "h264"
    assert stream.codec_context.pix_fmt == "yuv420p"
    data = path.read_bytes()
    assert data.index(b"moov") < data.index(b"mdat"), "the header precedes the data"
    import av

    with av.open(str(path)) as container:
        assert container.metadata["title"] == "A title"


def test_gif_repeats_forever(tmp_path: Path) -> None:
    path = tmp_path / "film.gif"
    write_film(path, PLAN, [picture(number) for number in range(PLAN.frame_count)])
    assert b"NETSCAPE2.0\x03\x01\x00\x00" in path.read_bytes()


def test_gif_palette_is_reused_while_colors_fit() -> None:
    palette = ColorPalette()
    for number in range(5):
        palette.quantize(picture(number))
    assert palette.choice_count == 1
    other = picture(0)
    other[32:, :] = (255, 0, 255, 255)
    numbers, colors = palette.quantize(other)
    assert palette.choice_count == 2
    assert colors[numbers[50, 50]].tolist() == [255, 255, 0, 255]


def test_gif_colors_are_close_to_the_picture() -> None:
    """A wide gradient beside a small patch of another color; a few colors are kept exactly."""
    shaded = np.full((64, 96, 4), 255, np.uint8)
    shaded[..., :3] = np.add.outer(2 * np.arange(64), np.arange(96))[..., None]
    shaded[..., 1] //= 2
    shaded[4:8, 4:8, :3] = (0, 0, 255)
    numbers, colors = ColorPalette().quantize(shaded)
    off = np.abs(colors[numbers][..., :0:-1].astype(int) - shaded[..., :3]).sum(axis=2)
    assert off.max() <= 3
    assert colors[numbers[5, 5]].tolist() == [255, 255, 0, 0]
    few = np.zeros((8, 8, 4), np.uint8)
    few[:4, :, :3] = (7, 8, 9)
    numbers, colors = ColorPalette().quantize(few)
    np.testing.assert_array_equal(colors[numbers][..., :0:-1], few[..., :3])
    assert (colors[:, 0] == 255).sum() == 2


class TestPlan:
    def test_frame_times_cover_the_range_with_its_end(self) -> None:
        assert PLAN.frame_count == 11
        assert PLAN.times == pytest.approx(1.0 + 0.025 * np.arange(11))
        assert PLAN.seconds == pytest.approx(0.55)
        assert FilmPlan(rate=30, speed=3, low=0, high=1).times[-1] == pytest.approx(1.0)
        assert FilmPlan(low=2.0, high=2.0).times.tolist() == [2.0]
        assert FilmPlan(low=0.0, high=0.32, rate=30.0).times.max() <= 0.32

    @pytest.mark.parametrize(
        ("settings", "key"),
        [
            ({"width": 8}, "width"),
            ({"height": 100_000}, "height"),
            ({"rate": 0.0}, "rate"),
            ({"rate": float("nan")}, "rate"),
            ({"speed": -1.0}, "speed"),
            ({"low": -1.0}, "times"),
            ({"low": 3.0, "high": 2.0}, "times"),
            ({"high": float("inf")}, "times"),
            ({"high": 1e6}, "speed"),
        ],
    )
    def test_invalid_values_are_rejected(self, settings: dict[str, Any], key: str) -> None:
        with pytest.raises(qv.InputError) as caught:
            FilmPlan(**settings)
        assert caught.value.key == key


@pytest.mark.parametrize(
    ("name", "plan", "message"),
    [
        ("film.avi", PLAN, "ending in .mp4 or .gif"),
        ("film.mp4", FilmPlan(97, 64), "98 by 64"),
        ("film.mp4", FilmPlan(96, 65), "96 by 66"),
        ("film.gif", FilmPlan(96, 64, rate=60.0), "at most 50"),
        ("nowhere/film.mp4", PLAN, "no such folder"),
    ],
)
def test_unwritable_films_are_rejected(name: str, plan: FilmPlan, message: str, tmp_path: Path) -> None:
    with pytest.raises(qv.InputError, match=message):
        refuse_film(tmp_path / name, plan)
    with pytest.raises(qv.InputError, match=message):
        write_film(tmp_path / name, plan, [])
    assert list(tmp_path.iterdir()) == []


def test_gif_may_have_an_odd_size(tmp_path: Path) -> None:
    plan = FilmPlan(97, 65, rate=20.0, high=0.1)
    write_film(tmp_path / "film.gif", plan, [picture(number, plan) for number in range(plan.frame_count)])
    assert decoded(tmp_path / "film.gif")[2][0].shape == (65, 97, 3)


def broken() -> Iterator[np.ndarray]:
    yield picture(0)
    raise ZeroDivisionError("of the test")


def of_another_size() -> Iterator[np.ndarray]:
    yield picture(0)
    yield picture(1)[:, :50]


def of_another_kind() -> Iterator[np.ndarray]:
    yield picture(0)
    yield picture(1).astype(float)


@pytest.mark.parametrize("suffix", [".mp4", ".gif"])
class TestOldFileStaysComplete:
    @pytest.fixture
    def path(self, suffix: str, tmp_path: Path) -> Iterator[Path]:
        path = tmp_path / f"film{suffix}"
        path.write_text("old")
        yield path
        assert path.read_text() == "old"
        assert [entry.name for entry in tmp_path.iterdir()] == [path.name]

    def test_old_film_stays_after_cancelling(self, path: Path) -> None:
        def progress(share: float) -> None:
            if share > 0.5:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            write_film(path, PLAN, (picture(number) for number in range(PLAN.frame_count)), progress=progress)

    def test_old_film_stays_after_a_painting_error(self, path: Path) -> None:
        with pytest.raises(ZeroDivisionError):
            write_film(path, PLAN, broken())

    @pytest.mark.parametrize("pictures", [of_another_size, of_another_kind])
    def test_old_film_stays_after_an_encoding_error(
        self, pictures: Callable[[], Iterator[np.ndarray]], path: Path
    ) -> None:
        with pytest.raises((ValueError, AttributeError, TypeError)):
            write_film(path, PLAN, pictures())

    def test_old_film_stays_on_a_full_disk(self, path: Path) -> None:
        noise = np.random.default_rng(1).integers(0, 256, (PLAN.frame_count, 64, 96, 4), np.uint8)
        soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, hard))
        try:
            with pytest.raises(qv.InputError, match="no space left"):
                write_film(path, PLAN, list(noise))
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_missing_pyav_is_reported_with_the_install_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "av", None)
    with pytest.raises(qv.InputError) as caught:
        write_film(tmp_path / "film.mp4", PLAN, [])
    assert caught.value.remedy == f'{sys.executable} -m pip install "{REQUIREMENT}"'
    assert "not installed" in caught.value.found


def test_film_extra_matches_the_reported_requirement() -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["optional-dependencies"]["film"] == [REQUIREMENT]
    assert REQUIREMENT in project["optional-dependencies"]["test"]
