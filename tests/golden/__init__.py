"""What commands say of stored results: `expected`, written by `make golden`."""
