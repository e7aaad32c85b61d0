import AutoFillProtocol
import AutoFillWire
import KeywaySystem

extension ProviderInterface {
    static let sample = ProviderInterface.form(
        InterfaceForm(
            title: "Unlock Passwords", fields: [.init(id: "master", label: "Master password", kind: .secure)],
            submitTitle: "Unlock"))
}
