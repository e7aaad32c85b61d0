/// The Advanced Encryption Standard (FIPS 197), with keys of 128, 192 or 256 bits.
public enum AES {}
