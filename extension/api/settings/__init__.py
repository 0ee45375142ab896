"""The service itself: information, sign-in, configuration, webhook and schedules."""
