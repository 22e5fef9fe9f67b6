"""The deformed wheelsets of a run in a window of the desktop: `flexwheel view DIR --window`."""
