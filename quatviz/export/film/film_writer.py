"""Writing of film files from a sequence of pictures."""

import io
from collections.abc import Callable, Iterable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from quatviz.base.errors import InputError, phrase
from quatviz.export.film.library import film_library
from quatviz.export.film.palette import ColorPalette
from quatviz.export.film.plan import FilmPlan
from quatviz.export.table import Progress, ignore_progress
from quatviz.files.files import checked_extension, refuse_unwritable, replace_atomically

SUFFIXES = {".mp4": "MP4, H.264", ".gif": "GIF"}

_GIF_TICKS_PER_SECOND = 100
"""Number of units per second in which a GIF states frame durations. Browsers show a frame with a duration of one unit
for ten units instead."""
_MAX_GIF_RATE = 50.0
_H264_QUALITY = "18"
"""Constant rate factor (CRF) of the H.264 encoder. At this value, no loss is visible."""

EncodeFrame = Callable[[np.ndarray, int], None]


def refuse_film(path: str | Path, plan: FilmPlan) -> None:
    """Raise an `InputError` for settings that `write_film` would reject. Call this before a long run."""
    suffix = checked_extension(path, SUFFIXES, "run.mp4", topic="errors#exports")
    odd = plan.width % 2 or plan.height % 2
    if suffix == ".mp4" and odd:
        even = phrase(
            "{width} by {height}", width=plan.width + plan.width % 2, height=plan.height + plan.height % 2
        )
        raise InputError(
            "the film's size",
            expected="even numbers of pixels, which H.264 needs",
            found=phrase("{width} by {height}", width=plan.width, height=plan.height),
            remedy=even,
            key="width" if plan.width % 2 else "height",
        )
    if suffix == ".gif" and plan.rate > _MAX_GIF_RATE:
        raise InputError(
            "the film's rate",
            expected=phrase("at most {most:g} frames per second, the limit of GIF", most=_MAX_GIF_RATE),
            found=f"{plan.rate:g}",
            remedy="25",
            key="rate",
        )
    refuse_unwritable(path)
    film_library()


def write_film(
    path: str | Path,
    plan: FilmPlan,
    pictures: Iterable[np.ndarray],
    title: str = "",
    progress: Progress = ignore_progress,
) -> None:
    """Write a film in the format given by the suffix of `path`.

    The file is written atomically: an existing file is only replaced by a complete film, even if an exception is
    raised.

    Parameters
    ----------
    path
        File to write.
    plan
        Size, rate and number of frames.
    pictures
        Frames (height, width, 4) of bytes, with the channels blue, green, red and unused.
    title
        Title in the metadata of the file.
    progress
        Function that is called with the completed fraction, 0 to 1.

    Raises
    ------
    InputError
        For settings that `refuse_film` rejects, or if the disk is full.
    """
    refuse_film(path, plan)
    av = film_library()
    open_stream = _open_gif if Path(path).suffix.lower() == ".gif" else _open_mp4
    format_ = "mp4" if open_stream is _open_mp4 else "gif"
    options = {"movflags": "+faststart"} if open_stream is _open_mp4 else {"loop": "0"}
    with replace_atomically(path) as fresh, _FaultTrackingFile(fresh, "w") as file:
        try:
            with av.open(file, "w", format=format_, options=options) as container:
                container.metadata["title"] = title
                container.metadata["comment"] = "quatviz"
                stream, encode = open_stream(av, container, plan)
                for number, picture in enumerate(pictures):
                    progress(number / plan.frame_count)
                    if picture.shape != (plan.height, plan.width, 4):  # the encoder would scale it
                        raise ValueError(f"a picture of {picture.shape}, not {plan.height} by {plan.width}")
                    encode(picture, number)
                for packet in stream.encode(None):
                    container.mux(packet)
        except Exception as error:
            raise (file.fault or error) from None


class _FaultTrackingFile(io.FileIO):
    """File that stores its first write error in `fault`. PyAV reports only some write errors.

    The file is unbuffered, because FFmpeg reads written data again to move the index to the front.
    """

    fault: OSError | None = None

    def write(self, data: Any) -> int:
        remaining = memoryview(data)
        try:
            while remaining:
                remaining = remaining[super().write(remaining) :]
        except OSError as fault:
            self.fault = self.fault or fault
            raise
        return len(data)


def _open_mp4(av: Any, container: Any, plan: FilmPlan) -> tuple[Any, EncodeFrame]:
    stream = container.add_stream("libx264", rate=Fraction(plan.rate).limit_denominator(1001))
    stream.width, stream.height, stream.pix_fmt = plan.width, plan.height, "yuv420p"
    stream.options = {"crf": _H264_QUALITY, "preset": "fast"}
    # Tag the color space that most players assume for this size. Without tags, players differ.
    stream.codec_context.colorspace = stream.codec_context.color_primaries = 1
    stream.codec_context.color_trc, stream.codec_context.color_range = 1, 1

    def encode(picture: np.ndarray, number: int) -> None:
        frame = av.VideoFrame.from_ndarray(picture, format="bgra")
        frame = frame.reformat(
            format="yuv420p",
            dst_colorspace="ITU709",
            src_color_range="JPEG",
            dst_color_range="MPEG",
        )
        frame.pts = number
        for packet in stream.encode(frame):
            container.mux(packet)

    return stream, encode


def _open_gif(av: Any, container: Any, plan: FilmPlan) -> tuple[Any, EncodeFrame]:
    stream = container.add_stream("gif", rate=Fraction(plan.rate).limit_denominator(1001))
    stream.width, stream.height, stream.pix_fmt = plan.width, plan.height, "pal8"
    stream.codec_context.time_base = Fraction(1, _GIF_TICKS_PER_SECOND)
    palette = ColorPalette()

    def encode(picture: np.ndarray, number: int) -> None:
        frame = av.VideoFrame.from_ndarray(palette.quantize(picture), format="pal8")
        frame.pts, frame.time_base = (
            round(number * _GIF_TICKS_PER_SECOND / plan.rate),
            Fraction(1, _GIF_TICKS_PER_SECOND),
        )
        for packet in stream.encode(frame):
            container.mux(packet)

    return stream, encode
