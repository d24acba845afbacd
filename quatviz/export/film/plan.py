"""Plan of a film: its size, and the number and times of its frames."""

import math
from dataclasses import dataclass

import numpy as np

from quatviz.base.errors import InputError, phrase
from quatviz.base.formatting import format_number
from quatviz.base.translation import tr

MIN_SIDE, MAX_SIDE = 16, 7680
"""Smallest and largest width and height [pixels]."""
MAX_FRAME_RATE = 120.0
MAX_FRAMES = 100_000
"""Largest number of frames, about an hour of film at 30 frames per second. A larger number is probably a mistake."""


@dataclass(frozen=True)
class FilmPlan:
    """Size, rate and time range of a film. Frame k shows the time `low + k * speed / rate` [s], at most `high`.

    Parameters
    ----------
    width, height
        Size [pixels].
    rate
        Frames per second of film.
    speed
        Simulated seconds per second of film.
    low, high
        Time range [s].

    Raises
    ------
    InputError
        If a value is out of range. The error names the parameter.

    Examples
    --------
    >>> plan = FilmPlan(rate=25.0, speed=2.0, high=4.0)
    >>> plan.frame_count, plan.times[:3].tolist(), plan.seconds
    (51, [0.0, 0.08, 0.16], 2.04)
    """

    width: int = 1280
    height: int = 720
    rate: float = 30.0
    speed: float = 1.0
    low: float = 0.0
    high: float = 10.0

    def __post_init__(self) -> None:
        for key in ("width", "height"):
            _check_range(key, getattr(self, key), MIN_SIDE, MAX_SIDE, "pixels", "1280 by 720")
        _check_range("rate", self.rate, 1.0, MAX_FRAME_RATE, "frames per second", "30")
        _check_range("speed", self.speed, 1e-6, 1e6, "simulated seconds per second of film", "1")
        if not 0.0 <= self.low <= self.high < math.inf:
            raise InputError(
                "the film's times",
                expected="a start of at least 0 s, and an end not before the start",
                found=phrase("{low:g} s to {high:g} s", low=self.low, high=self.high),
                remedy="leave the times out for the whole run",
                key="times",
            )
        if self.frame_count > MAX_FRAMES:
            raise InputError(
                "the film's length",
                expected=phrase("at most {most} frames", most=MAX_FRAMES),
                found=f"{self.frame_count}",
                remedy="choose a higher playback speed, fewer frames per second, or a shorter time range",
                key="speed",
                topic="errors#exports",
            )

    @property
    def frame_count(self) -> int:
        """Number of frames."""
        return math.floor((self.high - self.low) / self.speed * self.rate * (1 + 1e-12) + 1e-6) + 1

    @property
    def times(self) -> np.ndarray:
        """Simulated time (frames,) [s] of each frame."""
        return np.minimum(self.low + np.arange(self.frame_count) * (self.speed / self.rate), self.high)

    @property
    def seconds(self) -> float:
        """Duration of the film [s]."""
        return self.frame_count / self.rate

    @property
    def time_decimals(self) -> int:
        """Number of decimals needed to distinguish the times of the frames."""
        return min(max(math.ceil(-math.log10(self.speed / self.rate) - 1e-9), 2), 5)

    @property
    def summary(self) -> str:
        """Text on number of frames, duration and time range of the film."""
        return tr(
            "{frames}, {seconds:.2f} s of film, t = {low} to {high} s.",
            frames=tr("{count} frames", count=f"{self.frame_count:,}".replace(",", "\u202f"))
            if self.frame_count > 1
            else tr("1 frame"),
            seconds=self.seconds,
            low=format_number(round(self.low, 6)),
            high=format_number(round(self.high, 6)),
        )


def _check_range(key: str, value: float, least: float, most: float, unit: str, example: str) -> None:
    if not least <= value <= most:
        raise InputError(
            phrase("the film's {key}", key=phrase(key)),
            expected=phrase("{least:g} to {most:g} {unit}", least=least, most=most, unit=phrase(unit)),
            found=f"{value:g}",
            remedy=phrase("for example {example}", example=phrase(example)),
            key=key,
            topic="errors#exports" if key == "speed" else "",
        )
