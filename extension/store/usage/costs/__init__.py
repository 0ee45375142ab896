"""Explanation and re-rating of costs."""
