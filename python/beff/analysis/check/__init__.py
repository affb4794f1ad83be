"""Is a result good: against expectations, earlier results, the hardware, and its own hosts."""
