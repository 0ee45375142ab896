"""Record of a clean answer, with all it rests on, so that another program can repeat it while nothing changed."""
