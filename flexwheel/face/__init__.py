"""face: `import flexwheel as fw`, and the command line.

In: names, paths, options. Out: the functions of the other rooms, called; one line of text or a result.

`calls`, `scenario`, `vehicle`, `track`, `wheelset`, `datasets`, `accessor`, `plots` are `fw`. `cli` and `app` are the
command line, `command` has its commands, one file each. Commands, calls and pictures of other rooms come through the
registries of `base`. Begin with `calls` or with the command's file.
"""
