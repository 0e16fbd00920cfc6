"""metadata.db: records, history, search and the journal. The only place that knows SQL."""
