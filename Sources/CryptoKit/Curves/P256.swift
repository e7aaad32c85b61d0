/// The elliptic curve P-256 (SEC 2, secp256r1).
public enum P256: Sendable {}
