/// Which sensor there is.
public enum LABiometryType: Int, Sendable {
    /// None that can be used.
    case none = 0
    /// A fingerprint reader.
    case touchID = 1
    /// A camera that knows faces.
    case faceID = 2
    /// A camera that knows irises.
    case opticID = 4
}
