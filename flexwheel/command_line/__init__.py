"""What the commands share: the application, options, and what contact commands compute and print."""
