"""Figures and tables of the source document S3, computed anew. No values are digitized from the document."""

import numpy as np

from quatviz.base.formatting import format_scientific
from quatviz.base.registry import Registry
from quatviz.display.data.series import Series
from quatviz.display.panels.base.curves import Trace
from quatviz.export.exhibit import (
    DocumentFigure,
    DocumentTable,
    Exhibit,
    ExhibitRow,
    ExhibitRun,
    component_plot,
    measured_value,
    vector_plot,
)
from quatviz.export.figures.figure import PanelPicture
from quatviz.export.figures.paper import TEXT_COLOR
from quatviz.physics.mechanics.euler_sequences import angle_symbols, p_from_angles
from quatviz.physics.mechanics.rotations import relative_angle, rotate
from quatviz.physics.observables.printed_angles import angles_as_printed
from quatviz.physics.observables.published_values import J, disk_angle
from quatviz.simulation.lane import LaneRun

SAMPLES_PER_SYMBOL = 20
"""Number of samples between two plotted symbols of a curve."""


_PRINCIPAL_JUMP = 90.0
"""Change of an angle [deg] between two samples above which the arctangent has jumped to another branch."""
_MAX_ANGLE_ERROR = 1e-6
"""Largest angle [rad] between two attitudes that count as equal."""


class Figure2(DocumentFigure):
    """Angular momentum of the disk, computed from Hamilton's equations and from the disk's single angle."""

    name = "figure_2"
    title = "Figure 2"
    panel_name = "h"
    caption = (
        "First example problem, comparison of Euler angle based and Hamiltonian solutions for the angular momenta "
        "versus time; the computed Hamiltonian component h_z agrees with the Euler angle solution (diamond symbols) "
        "obtained using equation (46), while the Hamiltonian components h_x and h_y are identically zero"
    )
    run_settings = ExhibitRun("spring_disk", 1e-3, 10.0)

    def panels(self, lane: LaneRun) -> list[PanelPicture]:
        motion = lane.motion()
        plot = vector_plot(motion, motion.h, ("h x", "h y", "h z"), "kg m²/s", 3.0)
        _, rate = disk_angle(motion.t)
        series = Series(1)
        series.set_data(motion.t[::SAMPLES_PER_SYMBOL], J * rate[::SAMPLES_PER_SYMBOL, None])
        plot.traces.append(Trace(series, 0, TEXT_COLOR, "by one angle, (46)", is_scatter=True))
        return [PanelPicture("Angular momentum", "", [plot])]

    def findings(self, lane: LaneRun) -> list[str]:
        motion = lane.motion()
        largest = np.abs(motion.h[:, :2]).max()
        _, rate = disk_angle(motion.t)
        error = np.abs(motion.h[:, 2] - J * rate).max()
        return [
            f"Found: the largest |h x| and |h y| are {format_scientific(largest, 0)} kg m²/s; "
            f"h z and (46), with r² in place of the printed r, "
            f"differ by at most {format_scientific(error)} kg m²/s."
        ]


class Figure3(DocumentFigure):
    """Euler parameters of the disk over time."""

    name = "figure_3"
    title = "Figure 3"
    panel_name = "euler_parameters"
    caption = (
        "First example problem, numerical solution for the Euler parameters versus time; note that the Euler parameters "
        "e_1 and e_2 are identically zero, and along with the computed solutions for e_0 and e_3 determine the nonzero "
        "Euler angle in accordance with equation (2)"
    )
    run_settings = ExhibitRun("spring_disk", 1e-3, 10.0)

    def panels(self, lane: LaneRun) -> list[PanelPicture]:
        return [PanelPicture("Euler parameters", "", [component_plot(lane, "p", weight=3.0)])]

    def findings(self, lane: LaneRun) -> list[str]:
        motion = lane.motion()
        angle, _ = disk_angle(motion.t)
        computed_angle = 2.0 * np.arctan2(motion.p[:, 3], motion.p[:, 0])
        error = np.abs(2.0 * np.sin(0.5 * (computed_angle - angle))).max()
        others = np.abs(motion.p[:, 1:3]).max()
        return [
            f"Found: the largest |e₁| and |e₂| are {format_scientific(others, 0)}; the angle, here 2 atan2(e₃, e₀) "
            f"because (2) is 0/0 where e₁ = e₂ = 0, is that of (46) within {format_scientific(error)} rad."
        ]


class Figure4(DocumentFigure):
    """Angular momentum of the torque-free body over time."""

    name = "figure_4"
    title = "Figure 4"
    panel_name = "h"
    caption = "Second example problem, torque free motion of a rigid body, numerical solution for the angular momenta versus time"
    run_settings = ExhibitRun("torque_free", 1e-3, 40.0)

    def panels(self, lane: LaneRun) -> list[PanelPicture]:
        return [PanelPicture("Angular momentum", "body frame", [component_plot(lane, "h", weight=3.0)])]

    def findings(self, lane: LaneRun) -> list[str]:
        drift = np.abs(lane.motion().momentum_drift).max()
        return [
            f"Found: |h| keeps its length within {format_scientific(drift)} of it; extremes and periods are in Table 3."
        ]


class Figure5(DocumentFigure):
    """Euler parameters of the torque-free body over time."""

    name = "figure_5"
    title = "Figure 5"
    panel_name = "euler_parameters"
    caption = (
        "Second example problem, torque free motion of a rigid body, numerical solution for the Euler parameters versus "
        "time; note that the Euler parameters are continuous functions"
    )
    run_settings = ExhibitRun("torque_free", 1e-3, 40.0)

    def panels(self, lane: LaneRun) -> list[PanelPicture]:
        return [PanelPicture("Euler parameters", "", [component_plot(lane, "p", weight=3.0)])]

    def findings(self, lane: LaneRun) -> list[str]:
        motion = lane.motion()
        step = np.linalg.norm(np.diff(motion.unit_p, axis=0), axis=1).max()
        allowed = 0.5 * np.linalg.norm(motion.omega, axis=1).max() * lane.interval
        return [
            f"Found: e changes by at most {step:.4g} between samples; the limit, 1/2 |ω| times the interval, is {allowed:.4g}."
        ]


class Figure6(DocumentFigure):
    """Euler angles of the torque-free body over time. Curves have gaps at jumps of the angles."""

    name = "figure_6"
    title = "Figure 6"
    panel_name = "euler_angles"
    caption = (
        "Second example problem, torque free motion of a rigid body, computed Euler angles versus time; note the "
        "discontinuities in the Euler angles"
    )
    run_settings = ExhibitRun("torque_free", 1e-3, 40.0)

    def panels(self, lane: LaneRun) -> list[PanelPicture]:
        motion, symbols = lane.motion(), angle_symbols("313")
        printed = np.degrees(angles_as_printed(motion.unit_p))
        with np.errstate(invalid="ignore"):
            is_jump = np.abs(np.diff(printed, axis=0)) > _PRINCIPAL_JUMP
        printed[1:][is_jump] = np.nan  # a gap in place of a line
        return [
            PanelPicture(
                "Euler angles 3-1-3", "with atan2", [component_plot(lane, "angles_313", weight=3.4)]
            ),
            PanelPicture(
                "Euler angles 3-1-3",
                "as printed, with the principal arctangent: mostly another orientation",
                [vector_plot(motion, printed, symbols, "deg", 3.4)],
            ),
        ]

    def findings(self, lane: LaneRun) -> list[str]:
        motion = lane.motion()
        jumps = np.abs(np.diff(np.degrees(motion.angles("313")), axis=0))
        printed = angles_as_printed(motion.unit_p)
        known = np.isfinite(printed).all(axis=1)
        steps = np.degrees(np.abs(np.diff(printed[known], axis=0)))
        is_wrong = (
            relative_angle(p_from_angles(printed[known], "313"), motion.unit_p[known]) > _MAX_ANGLE_ERROR
        )
        return [
            f"Found: {(jumps > 180.0).sum()} jumps, the largest of {jumps.max():.1f} deg; dotted lines mark them. The "
            "motion begins at the singularity θ = 0, where only φ + ψ is defined.",
            f"Above, equations (2) and (3) are taken with atan2. Below, with the principal arctangent that is printed: "
            f"{(steps > _PRINCIPAL_JUMP).sum()} jumps of half a turn, and another orientation "
            f"in {is_wrong.mean():.0%} of the samples.",
        ]


class Figure7(DocumentFigure):
    """Angular momentum of the top over time, divided by its initial magnitude."""

    name = "figure_7"
    title = "Figure 7"
    panel_name = "h"
    caption = (
        "Third example problem, translation and rotation of a spinning top, numerical solution for the normalized "
        "components of the angular momentum versus time"
    )
    run_settings = ExhibitRun("heavy_top", 1e-4, 2.0, 2e-3)

    def panels(self, lane: LaneRun) -> list[PanelPicture]:
        motion = lane.motion()
        values = motion.h / np.linalg.norm(motion.h[0])
        symbols = ("h₁/|h₀|", "h₂/|h₀|", "h₃/|h₀|")
        return [
            PanelPicture("Angular momentum", "body frame", [vector_plot(motion, values, symbols, "", 3.0)])
        ]

    def findings(self, lane: LaneRun) -> list[str]:
        motion = lane.motion()
        change = np.abs(motion.h[:, 2] - motion.h[0, 2]).max() / motion.h[0, 2]
        return [
            f"The caption does not say by what h is normalized: here by |h₀| = {np.linalg.norm(motion.h[0]):g} kg m²/s. "
            f"Found: h₃ is constant{f' within {format_scientific(change)} of it' if change else ', to the last bit'}."
        ]


TOP_CENTER_OF_MASS = (0.0, 0.0, 1.0)
"""Center of mass of the top [m] in the body frame, from the pivot."""


class Figure8(DocumentFigure):
    """Path of the top's center of mass."""

    name = "figure_8"
    title = "Figure 8"
    panel_name = "centre_of_mass"
    caption = (
        "Third example problem, translation and rotation of a spinning top, numerical solution for the center of mass "
        "position versus time"
    )
    run_settings = ExhibitRun("heavy_top", 1e-4, 15.1)

    def panels(self, lane: LaneRun) -> list[PanelPicture]:
        motion = lane.motion()
        values = rotate(motion.p, np.broadcast_to(TOP_CENTER_OF_MASS, (len(motion.t), 3)))
        return [
            PanelPicture(
                "Center of mass",
                "space frame, from the pivot",
                [vector_plot(motion, values, "xyz", "m", 3.0)],
            )
        ]

    def findings(self, lane: LaneRun) -> list[str]:
        motion = lane.motion()
        height = rotate(motion.p, np.broadcast_to(TOP_CENTER_OF_MASS, (len(motion.t), 3)))[:, 2]
        return [
            f"The pivot is 1 m from the center of mass, which Table 4 leaves out. Found: its height stays between "
            f"{height.min():.5f} and {height.max():.5f} m; the time shown is one turn of precession."
        ]


MOMENTUM_UNIT = "kg m²/s"
PRINTED_VALUES = (
    ("Magnitude of h₁", MOMENTUM_UNIT, ("346.4102", "346.38"), "max h1", 4),
    ("Magnitude of h₂", MOMENTUM_UNIT, ("365.447", "365.44"), "max h2", 4),
    ("Magnitude of h₃", MOMENTUM_UNIT, ("200.0", "199.975"), "max |h3|", 4),
    ("Period of h₁", "s", ("9.3393", "9.35"), "period of h1", 4),
    ("Period of h₂", "s", ("18.6786", "18.68"), "period of h2", 4),
    ("Period of h₃", "s", ("18.6786", "18.68"), "period of h3", 4),
    ("Minimum of h₁", MOMENTUM_UNIT, ("162.6296", "162.6342"), "min h1", 4),
)


class Table3(DocumentTable):
    """Exact and numerical extreme values and periods of h for a torque-free body."""

    name = "table_3"
    title = "Table 3"
    caption = "Exact versus numerical results for the second example problem"
    run_settings = ExhibitRun("torque_free", 1e-3, 80.0)
    source_headings = ("exact", "numerical")
    compared_column = 0

    def lines(self, lane: LaneRun) -> list[ExhibitRow]:
        return [
            ExhibitRow(variable, unit, printed, measured_value(lane, f"S3 Table 3: {name}"), decimals)
            for variable, unit, printed, name, decimals in PRINTED_VALUES
        ]

    def findings(self, lane: LaneRun) -> list[str]:
        return [
            "The document prints the sixth row as a second “Period of h₂”. The exact minimum of h₁ is 162.6297."
        ]


class Table5(DocumentTable):
    """Nutation and precession of the top."""

    name = "table_5"
    title = "Table 5"
    caption = "Approximate analytical versus numerical results for the third example problem"
    run_settings = ExhibitRun("heavy_top", 1e-4, 20.0, 1e-3)
    source_headings = ("analytical approximation", "numerical")
    compared_column = 1

    def lines(self, lane: LaneRun) -> list[ExhibitRow]:
        nutation = measured_value(lane, "S3 Table 5, exact: nutation")
        precession = measured_value(lane, "S3 Table 5, exact: mean precession")
        return [
            ExhibitRow("Nutation frequency", "rad/s", ("10.00", "9.24"), nutation, 5),
            ExhibitRow("Precession frequency", "rad/s", ("0.40", "0.4136"), precession, 6),
        ]

    def findings(self, lane: LaneRun) -> list[str]:
        return [
            "Exact, by elliptic functions: nutation 9.20942 rad/s, mean precession 0.416425 rad/s. The printed 9.24 fits "
            "a period rounded to 0.68 s; 10.00 and 0.40 are the approximations of a fast top."
        ]


EXHIBITS: Registry[type[Exhibit]] = Registry(__name__, Exhibit)
