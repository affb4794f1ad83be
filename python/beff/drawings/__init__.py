"""Drawings of what the benchmarks do: the patterns of b_eff and the file layouts of b_eff_io.

What a pattern is comes from `beff.analysis`, the second implementation of the definition; here it
is only given places. Nothing measured is shown.
"""
