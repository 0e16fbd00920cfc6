"""The command line: parser, arguments, prompt, progress bar, output, exit code."""
