"""The service itself: information, sign-in, configuration and schedules."""
