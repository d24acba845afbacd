"""Checks against the tables of the documents, and against exact periods."""

import math
from collections.abc import Iterator

from quatviz.physics.observables.published_values import PUBLISHED_TABLES
from quatviz.verification.check import Check, check_close
from quatviz.verification.lanes import check_endings, run_lanes
from quatviz.verification.motions import reference_preset
from quatviz.verification.parts.base import VerificationPart


class PublishedTables(VerificationPart):
    """Checks against Tables 3 and 5 of S3, corrected by the errata, and against periods from elliptic
    functions."""

    name = "published"
    title = "Published tables and exact periods"

    def checks(self, full: bool) -> Iterator[Check]:
        for source in PUBLISHED_TABLES:
            pairs = run_lanes(
                reference_preset(source.case),
                None if full else ["newton_euler", "hamilton"],
                dt=source.dt,
                duration=source.duration,
                sample_interval=source.sample_interval,
                target_error=math.inf,  # Rounding errors grow from flip to flip of the intermediate axis.
            )
            yield from check_endings(pairs)
            for pair in pairs:
                if not pair.is_complete or pair.coarse.status != "ok":
                    continue
                for value in source.values:
                    yield check_close(
                        value.name,
                        value.measure(pair.motion),
                        value.reference,
                        pair.allowed_error(value.tolerance, value.as_array),
                        pair.description,
                    )
