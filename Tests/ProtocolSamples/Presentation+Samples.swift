package import AutoFillProtocol
import AutoFillWire

extension PresentationShow: DocumentedNotification {
    package static let summary = "Draws what the provider describes, in place of what was there for the same request."
    package static var sample: Parameters {
        Parameters(request: 7, provider: .sample, service: "example.com", interface: .sample)
    }
}

extension PresentationEvent: DocumentedNotification {
    package static let summary = "What the person chose, typed, searched or cancelled in the interface of a request."
    package static var sample: Parameters { Parameters(request: 7, event: .chose(row: "4f1c")) }
}
