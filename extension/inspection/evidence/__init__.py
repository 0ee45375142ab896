"""Reading of answers: verdicts, error bodies and stored evidence."""
