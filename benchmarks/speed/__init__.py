"""How long people wait: the bars P1 to P18 without P9 and P11, each as the ratio of two things measured in turn in one run."""
