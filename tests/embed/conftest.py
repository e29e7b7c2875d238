"""Fixtures: the encoders, loaded once per test process, and a small real model folder."""

from __future__ import annotations

import pytest

from auditor.embed.minilm import MiniLmEncoder, MiniLmTorchEncoder
from auditor.embed.static import StaticEncoder


@pytest.fixture(scope="session")
def static() -> StaticEncoder:
    return StaticEncoder()


@pytest.fixture(scope="session")
def minilm() -> MiniLmEncoder:
    return MiniLmEncoder()


@pytest.fixture(scope="session")
def minilm_torch() -> MiniLmTorchEncoder:
    return MiniLmTorchEncoder(device="cpu")


@pytest.fixture(scope="session")
def sentences() -> list[str]:
    return SENTENCES


SENTENCES = [
    "Unopened items may be returned within 30 days of delivery.",
    "You have 14 days from the date of purchase to send an item back.",
    "The API allows 600 requests per minute and key.",
    "Passwords must be changed every 90 days.",
    "Passwords",
    "The server listens on port 8443 by default.",
    "Contractors must not connect private devices to the internal network without written permission of the security officer.",
    "Refunds are issued to the original payment method.",
    "Plan: Enterprise. Storage: 2 TB. Support: 24/7.",
    "Python 3.9 is no longer supported as of version 2.0.",
    "Call +49 30 901820 between 9:00 and 17:00 on working days.",
    "Write to billing@example.org for questions about an invoice.",
    "Employees are entitled to 28 days of paid leave per calendar year.",
    "The warranty does not cover damage caused by water.",
    "Set `retries` to 5; the default is 3.",
    "A quorum needs at least two thirds of the members.",
    "Revenue grew by 4.2 % to €18.3M in the second quarter.",
    "Backups are kept for seven years and then deleted.",
    "The following are not allowed: alcohol, tobacco, weapons.",
    "Dogs are welcome in the garden, but not in the dining room.",
    "If the temperature exceeds 80 °C, the pump is switched off.",
    "Meetings take place every other Tuesday.",
    "Die Rechnung ist innerhalb von vierzehn Tagen zu zahlen.",
    "Le délai de livraison est de cinq jours ouvrables.",
    "Deliveries to islands take longer and cost 12.50 extra per parcel.",
    "Only administrators can delete a workspace.",
    "Every member of a workspace can delete it.",
    "The new office opens on 1 March 2025.",
    "See section 4.2 of the handbook for the exceptions.",
    "Data is encrypted at rest with AES-256 and in transit with TLS 1.3. " * 4,
    "OK",
    "x" * 300,
]
