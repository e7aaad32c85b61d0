package import AutoFillProtocol
import AutoFillWire

extension Suggest: DocumentedMethod {
    package static let summary =
        "What the enabled providers have for a page. Starts no process and needs no unlocked vault."
    package static var sample: (parameters: Parameters, result: Result) {
        (
            Parameters(services: [ServiceIdentifier("https://m.example.com/login", kind: .url)]),
            Result(
                suggestions: [
                    Suggestion(
                        handle: "q3K0cJ1f8mU", user: "ada", service: "example.com", provider: .sample, match: .site,
                        kind: .password, record: "7")
                ], more: 0, providers: [.sample],
                lists: [ProviderLists(provider: .sample, kinds: [.password])])
        )
    }
}
