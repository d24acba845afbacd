"""Names of an earlier release still open in presets and scripts."""

import quatviz as qv
from quatviz.files.preset_reading import format_preset, parse_preset
from quatviz.physics.integrators import INTEGRATORS


def test_former_integrator_name_is_accepted() -> None:
    text = format_preset(qv.load_preset("torque_free")).replace(
        'integrator = "rk4"', 'integrator = "frozen_rate"'
    )
    assert "frozen_rate" in text
    preset = parse_preset(text)
    assert preset.run.integrator == "lie_euler"
    assert "frozen_rate" not in format_preset(preset)
    assert qv.Lane("hamilton", integrator="frozen_rate").integrator == "lie_euler"
    assert INTEGRATORS["frozen_rate"] is INTEGRATORS["lie_euler"]
