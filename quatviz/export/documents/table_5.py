"""S3 Table 5: nutation and precession of the top."""

from quatviz.export.documents._table import DocumentTable, Line, measured
from quatviz.export.documents.base import Case
from quatviz.simulation.lane import LaneRun


class Table5(DocumentTable):
    name = "table_5"
    title = "Table 5"
    caption = "Approximate analytical versus numerical results for the third example problem"
    case = Case("heavy_top", 1e-4, 20.0, 1e-3)
    heads = ("analytical approximation", "numerical")
    compared = 1

    def lines(self, lane: LaneRun) -> list[Line]:
        nutation = measured(lane, "S3 Table 5, exact: nutation")
        precession = measured(lane, "S3 Table 5, exact: mean precession")
        return [
            Line("Nutation frequency", "rad/s", ("10.00", "9.24"), nutation, 5),
            Line("Precession frequency", "rad/s", ("0.40", "0.4136"), precession, 6),
        ]

    def findings(self, lane: LaneRun) -> list[str]:
        return [
            "Exact, by elliptic functions: nutation 9.20942 rad/s, mean precession 0.416425 rad/s. The printed 9.24 fits "
            "a period rounded to 0.68 s; 10.00 and 0.40 are the approximations of a fast top."
        ]
