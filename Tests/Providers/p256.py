"""ECDSA on P-256 in a few lines, for a provider of the tests that has nothing else: slow, and not for real keys."""

from __future__ import annotations

import hashlib
import secrets

P = 0xFFFFFFFF00000001000000000000000000000000FFFFFFFFFFFFFFFFFFFFFFFF
N = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
G = (
    0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
    0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5,
)
Point = tuple[int, int] | None


def add(left: Point, right: Point) -> Point:
    if left is None:
        return right
    if right is None:
        return left
    if left[0] == right[0]:
        if (left[1] + right[1]) % P == 0:
            return None
        slope = (3 * left[0] * left[0] - 3) * pow(2 * left[1], -1, P) % P
    else:
        slope = (right[1] - left[1]) * pow(right[0] - left[0], -1, P) % P
    x = (slope * slope - left[0] - right[0]) % P
    return x, (slope * (left[0] - x) - left[1]) % P


def multiply(point: Point, factor: int) -> Point:
    result = None
    while factor:
        if factor & 1:
            result = add(result, point)
        point = add(point, point)
        factor >>= 1
    return result


def new_key() -> tuple[int, tuple[int, int]]:
    """A private key and its point."""
    private = secrets.randbelow(N - 1) + 1
    point = multiply(G, private)
    assert point is not None
    return private, point


def sign(private: int, message: bytes) -> bytes:
    """An ES256 signature in DER."""
    digest = int.from_bytes(hashlib.sha256(message).digest(), "big")
    while True:
        nonce = secrets.randbelow(N - 1) + 1
        point = multiply(G, nonce)
        assert point is not None
        r = point[0] % N
        s = pow(nonce, -1, N) * (digest + r * private) % N
        if r and s:
            return sequence(integer(r) + integer(s))


def integer(value: int) -> bytes:
    data = value.to_bytes(33, "big").lstrip(b"\0") or b"\0"
    if data[0] & 0x80:
        data = b"\0" + data
    return bytes([2, len(data)]) + data


def sequence(data: bytes) -> bytes:
    return bytes([0x30, len(data)]) + data
