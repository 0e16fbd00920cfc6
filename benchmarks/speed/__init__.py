"""How long people wait: the bars P1 to P18, each as the ratio of two things measured in turn in one run."""
