/// How a person may be verified.
public enum LAPolicy: Int, Sendable {
    /// By a sensor alone: a finger, a face.
    case deviceOwnerAuthenticationWithBiometrics = 1
    /// By a sensor, or else by the person's password.
    case deviceOwnerAuthentication = 2
    /// By a companion device that is near.
    case deviceOwnerAuthenticationWithCompanion = 3
    /// By a sensor or a companion device.
    case deviceOwnerAuthenticationWithBiometricsOrCompanion = 4
}
