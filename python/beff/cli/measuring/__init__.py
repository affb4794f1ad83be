"""A measurement: options, request, benchmarks, job, results; shared by run, job and nodes."""
