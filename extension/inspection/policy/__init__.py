"""From a verdict to an action: recommendation, strategy, circuit breaker and plan."""
