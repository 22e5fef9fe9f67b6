"""A run as one HTML page that moves, without a network: `flexwheel view DIR --web`."""
