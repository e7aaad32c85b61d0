import AutoFillProtocol
import AutoFillWire
package import PasswordsProtocol

extension FindCodes: DocumentedMethod {
    package static let summary = "Items that make one-time codes: those of some services, and all that hold the words."
    package static var sample: (parameters: Parameters, result: Result) {
        (
            Parameters(services: [ServiceIdentifier("example.com", kind: .domain)]),
            Result(matches: [.sample], items: [.sample], total: 1)
        )
    }
}

extension MakeCode: DocumentedMethod {
    package static let summary =
        "The one-time code of an item; the secret stays in the service, and a counter moves on before the answer."
    package static var sample: (parameters: Parameters, result: Result) {
        get throws {
            (
                Parameters(item: ItemSummary.sample.id),
                Result(code: try .sample(), validUntil: 1_767_225_630, item: .sample)
            )
        }
    }
}

extension ShowCodeLink: DocumentedMethod {
    package static let summary = "The `otpauth:` link that sets the codes of an item up elsewhere."
    package static var sample: (parameters: Parameters, result: Result) {
        get throws { (Parameters(item: ItemName("Example")), Result(link: try .sample(), item: .sample)) }
    }
}

extension KeepCode: DocumentedMethod {
    package static let summary =
        "Keeps what makes one-time codes with an item, or with a new one, as the person chose; for the extension alone."
    package static var sample: (parameters: Parameters, result: Result) {
        get throws {
            (
                Parameters(link: try .sample(), issuer: "Example", account: "ada", item: ItemSummary.sample.id),
                Result(item: .sample)
            )
        }
    }
}
