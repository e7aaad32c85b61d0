package import AutoFillProtocol
import AutoFillWire

extension BrokerNotice: DocumentedNotification {
    package static let summary = "Something that the person should know, told once."
    package static var sample: Parameters {
        Parameters(
            provider: .sample, text: "Passwords failed three times to deliver; its suggestions were taken away.")
    }
}
