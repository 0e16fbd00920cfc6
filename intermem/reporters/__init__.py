"""One module per output format. They show what a command returned and decide nothing."""
