"""The papers' diagrams as data, for formats that bring their own drawing: LaTeX and gnuplot."""
