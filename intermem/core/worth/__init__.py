"""Worth: how much a text reads like something a maintainer would merge into the documents."""
