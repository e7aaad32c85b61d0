package import AutoFillProtocol
package import AutoFillWire

extension HistoryEntry {
    static let sample = HistoryEntry(
        time: 1_790_000_000_000, event: .fill, client: "Chromium", provider: .sample, service: "example.com",
        account: "ada", kind: .password, method: .pin)
}

extension ListHistory: DocumentedMethod {
    package static let summary = "What was filled, registered, refused and approved, newest first. No secrets."
    package static var sample: (parameters: Parameters, result: Result) {
        (Parameters(limit: 10), Result(entries: [.sample], hasMore: false))
    }
}

extension ClearHistory: DocumentedMethod {
    package static let summary =
        "Forgets what happened, after the person was verified where there is a way to. That it was cleared, and when, is the "
        + "one entry left."
    package static var sample: (parameters: Nothing, result: Nothing) { (Nothing(), Nothing()) }
}
