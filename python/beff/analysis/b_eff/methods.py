"""The transfer methods that enter the value."""

OFFICIAL_METHODS = ("sendrecv", "alltoallv", "nonblocking")
PING_PONG_METHOD = "sendrecv"
REPETITIONS = 3
