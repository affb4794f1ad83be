"""The store of results: a database that keeps whole result files, their figures and systems.

Depends on the analysis and the model only; knows neither the command line nor the web.
"""
