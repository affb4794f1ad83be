"""Result files and journals: models, reading, writing. Knows nothing of how they are shown."""
