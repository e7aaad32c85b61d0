/// Why an operation failed.
public enum CryptoKitError: Error, Hashable, Sendable {
    /// The key has another length than the algorithm takes.
    case incorrectKeySize
    /// A nonce, tag, signature or representation has another length than it must.
    case incorrectParameterSize
    /// The bytes were not sealed under this key with this nonce and these authenticated data, or were altered since.
    case authenticationFailure
    /// The library beneath refused: a point beside the curve, for example. The number is -1 here.
    case underlyingCoreCryptoError(error: Int32)
    /// A key could not be wrapped.
    case wrapFailure
    /// A key was not wrapped under this key, or was altered since.
    case unwrapFailure
    /// A parameter is invalid.
    case invalidParameter
}

/// Why a representation in DER or PEM could not be read.
public enum CryptoKitASN1Error: Error, Hashable, Sendable {
    /// A field has an identifier that is none.
    case invalidFieldIdentifier
    /// It is another thing than what was wanted, such as a key of another curve.
    case unexpectedFieldType
    /// An object identifier is invalid.
    case invalidObjectIdentifier
    /// It is no object of ASN.1 in DER, or something follows it.
    case invalidASN1Object
    /// A number is not written as DER wants it.
    case invalidASN1IntegerEncoding
    /// The end is missing.
    case truncatedASN1Field
    /// A length is written in a form that is not supported.
    case unsupportedFieldLength
    /// It is no PEM document of the kind that was wanted.
    case invalidPEMDocument
}
