"""Public lists of prices, in the form of this package."""
