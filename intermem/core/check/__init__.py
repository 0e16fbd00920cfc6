"""Rules of ``check``, findings, suppression, baseline and fixes."""
