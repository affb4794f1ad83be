"""Tests on clusters that are emulated on one machine: networks, launchers, file systems."""
