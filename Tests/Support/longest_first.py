"""The order in which files of tests begin: where they run side by side, the last to begin decides when all have ended.

    from longest_first import pytest_collection_modifyitems

in a `conftest.py`.
"""

from __future__ import annotations

import pytest

# The files that take longest, those first that take most.
LONG = [
    *["test_frames", "test_passkeys_whole", "test_menu_attacks", "test_passkey_options", "test_fields"],
    *["test_sign_in", "test_windows", "test_whole", "test_passkeys_unverified"],
    *["test_apps", "test_passkeys", "test_sheets_kinds", "test_nobody_to_ask", "test_upgrades"],
    *["test_password_store_broker", "test_kit", "test_sheets_broker", "test_broker_providers", "test_sandbox"],
    *["test_vault_renewal"],
    *["test_framed", "test_pages", "test_memory", "test_between_providers", "test_traces", "test_control_groups"],
]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    places = {name: place for place, name in enumerate(LONG)}
    items.sort(key=lambda item: places.get(item.path.stem, len(LONG)))
