"""Measures that a sweep computes for each run, one file each: see `base.SweepMeasure`."""

from quatviz.analysis.sweeps.measures.base import SweepMeasure
from quatviz.base.registry import Registry

MEASURES: Registry[type[SweepMeasure]] = Registry(__name__, SweepMeasure, family="sweep_measures")
