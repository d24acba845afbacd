"""What should stay constant, and by how much it does not: the signature of formulation, method and step."""

from quatviz.ui.plotting.time_panel import Strip, TimePanel


class Drift(TimePanel):
    name = "drift"
    title = "Drift"
    order = 40
    strips = (
        Strip("constraint", label="unit length, ||p|² − 1|", scale="log"),
        Strip("energy_drift", label="energy, |ΔE| / E₀", scale="log"),
        Strip("momentum_drift", label="momentum, |Δ|h|| / |h₀|", scale="log"),
    )
    note = "0 is exact; relative to the start"
