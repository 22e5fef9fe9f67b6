"""What `import flexwheel as fw` gives: few names, each a thin call of what the rooms below have."""
