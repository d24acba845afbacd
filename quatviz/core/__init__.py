"""Physics without Qt, threads or clocks: conventions, body, loads, observables, presets."""
