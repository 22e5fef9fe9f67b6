"""Commands of the command line, one per file; `command` is the function, the file's name the command's."""
