"""metadata.db: records, history, search and the journal. The only place that knows SQL."""

FILE_NAME = "metadata.db"
KEY_NAME = "key"
