"""The commands of the twin: simulate, predict, order, topology."""
