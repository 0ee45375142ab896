"""The release that patches are made for, and the one they were made for."""
