import AutoFillProtocol
import AutoFillWire
import FoundationEssentials
import KeywayCrypto

/// `keyway exchange`.
struct ExchangeCommand {
    private static let passwords = "org.keyway.passwords"

    let context: CommandContext

    /// What the app of a provider says of its half.
    private struct Report: Decodable {
        struct Notice: Decodable {
            let item: String
            let reason: String
        }

        let items: Int
        let notices: [Notice]
    }

    func run() async throws {
        let inWindow = context.invocation.has("--window")
        let desk = PresentedRequest(context)
        guard inWindow || desk.canPresent else {
            throw CommandError(.needsPerson, Strings.exchangeNeedsTerminal, hint: Strings.exchangeInWindow)
        }
        let connection = try await context.connect(methods: desk.methods)
        defer { connection.close() }
        let parameters = BeginExchange.Parameters(
            provider: context.invocation.value("--from"), destination: context.invocation.value("--to"),
            presents: !inWindow)
        let result = try await desk.perform(BeginExchange.self, parameters, over: connection)
        try tell(
            result.exporter, Self.report(result.exported), result.destination, Self.report(result.imported))
    }

    /// What an app wrote; nil for what is no report: the exchange has happened all the same.
    private static func report(_ attachment: Attachment?) -> Report? {
        guard let attachment, let bytes = try? SecretBytes(attachment) else { return nil }
        return bytes.withUnsafeBytes { try? JSONDecoder().decode(Report.self, from: Data($0)) }
    }

    private func tell(
        _ exporter: ProviderReference, _ exported: Report?, _ destination: ProviderReference, _ imported: Report?
    ) throws {
        guard context.wantsJSON else {
            try context.say(Strings.exchanged(exporter.name, exported?.items, destination.name, imported?.items))
            try tell(exported, of: exporter)
            try tell(imported, of: destination)
            if destination.identifier == Self.passwords, imported?.items ?? 0 > 0 {
                try context.say(Strings.exchangeUndo)
            }
            return
        }
        let notices = Self.notices(exported, of: exporter) + Self.notices(imported, of: destination)
        try context.print(
            .object([
                ("from", .string(exporter.identifier)), ("to", .string(destination.identifier)),
                ("handedOver", exported.map { .integer($0.items) } ?? .null),
                ("stored", imported.map { .integer($0.items) } ?? .null), ("notices", .array(notices)),
            ]), text: "")
    }

    private func tell(_ report: Report?, of provider: ProviderReference) throws {
        guard let report, !report.notices.isEmpty else { return }
        try context.say(Strings.notCarried(report.notices.count, by: provider.name))
        for notice in report.notices { try context.say(Strings.exchangeNotice(notice.item, notice.reason)) }
    }

    private static func notices(_ report: Report?, of provider: ProviderReference) -> [JSONValue] {
        (report?.notices ?? []).map { notice in
            .object([
                ("provider", .string(provider.identifier)), ("item", .string(notice.item)),
                ("reason", .string(notice.reason)),
            ])
        }
    }
}
