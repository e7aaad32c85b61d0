import AutoFillProtocol
import FoundationEssentials

extension ProviderReference {
    static let sample = ProviderReference(identifier: "org.keyway.passwords", name: "Passwords")
}
