"""Settings of the property tests."""

from __future__ import annotations

from hypothesis import settings

# A busy machine is no mistake of ours.
settings.register_profile("ludorum", deadline=None)
settings.load_profile("ludorum")
