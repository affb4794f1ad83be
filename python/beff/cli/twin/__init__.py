"""The commands of the twin: simulate, predict, order, matrix, topology."""
