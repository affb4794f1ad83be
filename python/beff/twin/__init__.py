"""A machine as ways and limits: simulated networks, predictions, orders, the nearest limit."""
