"""The list as a web application. Depends on store, analysis and model; knows no command line."""
