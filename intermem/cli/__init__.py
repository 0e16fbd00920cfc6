"""The command line: parser, arguments, prompt, progress, output, exit code."""
