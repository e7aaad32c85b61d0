/// The elliptic curve of X25519 and Ed25519.
public enum Curve25519: Sendable {}
