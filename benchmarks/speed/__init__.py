"""How long people wait: bars P1 to P18 without P9 and P11, each the ratio of two things measured in one run."""
