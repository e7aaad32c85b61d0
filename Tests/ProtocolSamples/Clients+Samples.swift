package import AutoFillProtocol
package import AutoFillWire

extension ApprovedClient {
    static let sample = ApprovedClient(
        identifier: "9f3c01aa5b6c4d7e8091a2b3c4d5e6f7", name: "Chromium", path: nil,
        browser: "/usr/lib/chromium/chromium",
        role: .browser,
        profile: BrowserProfile(identifier: "0b7e3c52-6d9c-4c40", browser: "Chromium"), isKnown: true,
        decision: .approved, decidedAt: 1_790_000_000_000, method: nil, lastAsked: 1_790_000_100_000)
}

extension ListClients: DocumentedMethod {
    package static let summary = "The programs that asked, and what the person said to each."
    package static var sample: (parameters: Nothing, result: Result) { (Nothing(), Result(clients: [.sample])) }
}

extension ChangeClient: DocumentedMethod {
    package static let summary =
        "Approves, refuses, renames or forgets a program, or lets it fill a site; the answer is the list as it is then."
    package static var sample: (parameters: Parameters, result: ListClients.Result) {
        (
            Parameters(identifier: "9f3c01aa5b6c4d7e8091a2b3c4d5e6f7", change: .refuse),
            ListClients.Result(clients: [.sample])
        )
    }
}
