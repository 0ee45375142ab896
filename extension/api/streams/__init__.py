"""Event streams: frames, and one reader of the event log for all of them."""
