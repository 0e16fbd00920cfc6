"""What a stranger's branch, notes or state may try, and what it gets: nothing but findings."""
