"""From a scenario to what runs: vehicle on its track, train, locomotive."""
