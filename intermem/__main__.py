"""``python -m intermem``."""

import sys

from intermem.cli import main

if __name__ == "__main__":
    sys.exit(main())
