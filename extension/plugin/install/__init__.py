"""Installation of the library into a stock gateway: its file, and the section `plugins` of the configuration."""
