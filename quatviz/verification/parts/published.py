"""The tables of the documents, and exact periods."""

import math
from collections.abc import Iterator

from quatviz.physics.observables.published_values import SOURCES
from quatviz.verification.check import Check, compared
from quatviz.verification.lanes import endings, run
from quatviz.verification.motions import preset_of
from quatviz.verification.parts.base import Part


class Published(Part):
    """Tables 3 and 5 of S3 with its errata, and periods from elliptic functions."""

    name = "published"
    title = "Published tables and exact periods"

    def checks(self, full: bool) -> Iterator[Check]:
        for source in SOURCES:
            tries = run(
                preset_of(source.case),
                None if full else ["newton_euler", "hamilton"],
                dt=source.dt,
                duration=source.duration,
                sample_interval=source.sample_interval,
                within=math.inf,  # from turn to turn of the intermediate axis rounding grows too
            )
            yield from endings(tries)
            for tried in tries:
                if not tried.complete or tried.coarse.status != "ok":
                    continue
                for value in source.values:
                    yield compared(
                        value.name,
                        value.measure(tried.motion),
                        value.reference,
                        tried.allowed(value.tolerance, value.of),
                        tried.described,
                    )
