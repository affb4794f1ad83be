"""What all diagrams share: figures, axes, panels, colours, drawing."""
