"""A fleet: what maps of whoever was there say together of every host."""
