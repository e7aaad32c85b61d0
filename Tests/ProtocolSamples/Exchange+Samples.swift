package import AutoFillProtocol
import AutoFillWire
import KeywaySystem

extension BeginExchange: DocumentedMethod {
    package static let summary =
        "Has the app of a provider export its accounts to another provider, which the person chooses; they are verified "
        + "each time, whatever is unlocked."
    package static var sample: (parameters: Parameters, result: Result) {
        get throws {
            (
                Parameters(provider: "org.keyway.passwords", destination: nil, presents: true),
                Result(
                    exporter: .sample, destination: ProviderReference(identifier: "org.example.other", name: "Other"),
                    exported: try .sample(), imported: nil)
            )
        }
    }
}

extension RequestExport: DocumentedMethod {
    package static let summary =
        "Asks the person which provider is to have the accounts of the calling app's provider, and verifies them."
    package static var sample: (parameters: Parameters, result: Result) {
        (
            Parameters(provider: nil),
            Result(exchange: "5F7F5B2E-7C0B-4C39-9D0E-1E2B6A2B9C11", formatVersion: "1.0")
        )
    }
}

extension ExportCredentials: DocumentedMethod {
    package static let summary =
        "Hands over the accounts that the person agreed to export, as a sealed memory file that the broker does not read; "
        + "answered when the other app is done with them."
    package static var sample: (parameters: Parameters, result: Result) {
        get throws {
            (
                Parameters(
                    exchange: "5F7F5B2E-7C0B-4C39-9D0E-1E2B6A2B9C11", formatVersion: "1.0", data: try .sample()),
                Nothing()
            )
        }
    }
}

extension TakeCredentials: DocumentedMethod {
    package static let summary =
        "What waits for the calling app under a token, once and for ten minutes; every other token is answered alike."
    package static var sample: (parameters: Parameters, result: Result) {
        get throws {
            (
                Parameters(token: "0E4DE2D5-9A52-4A0F-8F41-6C0B2C7E5D32"),
                Result(data: try .sample())
            )
        }
    }
}

extension ContinueActivity: DocumentedMethod {
    package static let summary = "The activity that the app of a provider was started for; `cancel` withdraws it."
    package static var sample: (parameters: Parameters, result: Result) {
        get throws {
            (
                Parameters(
                    type: ExchangeActivityType.importing, token: "0E4DE2D5-9A52-4A0F-8F41-6C0B2C7E5D32"),
                .finished(report: try .sample())
            )
        }
    }
}
