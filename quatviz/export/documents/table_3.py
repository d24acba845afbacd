"""S3 Table 3: extremes and periods of the torque-free body."""

from quatviz.export.documents._table import DocumentTable, Line, measured
from quatviz.export.documents.base import Case
from quatviz.simulation.lane import LaneRun

H = "kg m²/s"
PRINTED = (
    ("Magnitude of h₁", H, ("346.4102", "346.38"), "max h1", 4),
    ("Magnitude of h₂", H, ("365.447", "365.44"), "max h2", 4),
    ("Magnitude of h₃", H, ("200.0", "199.975"), "max |h3|", 4),
    ("Period of h₁", "s", ("9.3393", "9.35"), "period of h1", 4),
    ("Period of h₂", "s", ("18.6786", "18.68"), "period of h2", 4),
    ("Period of h₃", "s", ("18.6786", "18.68"), "period of h3", 4),
    ("Minimum of h₁", H, ("162.6296", "162.6342"), "min h1", 4),
)


class Table3(DocumentTable):
    name = "table_3"
    title = "Table 3"
    caption = "Exact versus numerical results for the second example problem"
    case = Case("torque_free", 1e-3, 80.0)
    heads = ("exact", "numerical")
    compared = 0

    def lines(self, lane: LaneRun) -> list[Line]:
        return [
            Line(variable, unit, printed, measured(lane, f"S3 Table 3: {name}"), decimals)
            for variable, unit, printed, name, decimals in PRINTED
        ]

    def findings(self, lane: LaneRun) -> list[str]:
        return [
            "The document prints the sixth row as a second “Period of h₂”. The exact minimum of h₁ is 162.6297."
        ]
