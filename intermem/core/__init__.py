"""Pure decisions: arguments in, values out. No input, no output, no clock."""
