package import AutoFillWire
package import PasswordsProtocol

extension CompareDocument: DocumentedMethod {
    package static let summary =
        "Compares a document of CXF 1.0 with the vault, for a terminal, and changes nothing."
    package static var sample: (parameters: Parameters, result: Result) {
        get throws {
            (
                Parameters(document: try .sample()),
                Result(counts: ImportCounts(new: 40, duplicates: 2, conflicts: 1), findings: try .sample())
            )
        }
    }
}

extension ImportDocument: DocumentedMethod {
    package static let summary = "Stores what is sound in a document of CXF 1.0, in one transaction, for a terminal."
    package static var sample: (parameters: Parameters, result: Result) {
        get throws {
            (
                Parameters(document: try .sample(), conflicts: .keepBoth),
                Result(
                    counts: ImportCounts(new: 40, duplicates: 2, conflicts: 1), added: 41, replaced: 0, leftOut: 2,
                    undoable: 41, findings: try .sample())
            )
        }
    }
}

extension ExchangeProgress: DocumentedNotification {
    package static let summary =
        "How many items of the document were gone through; from the service, while it compares or imports."
    package static var sample: Parameters { Parameters(done: 25_000, total: 100_000) }
}

extension UndoImport: DocumentedMethod {
    package static let summary =
        "Takes back the last import in one transaction, for a terminal; `notFound` where there is none."
    package static var sample: (parameters: Nothing, result: Result) {
        (
            Nothing(),
            Result(
                removed: 40, restored: 0,
                kept: [.init(id: ItemSummary.sample.id, title: "Example", user: "ada")], keptCount: 1)
        )
    }
}

extension ExportDocument: DocumentedMethod {
    package static let summary =
        "Everything as a document of CXF 1.0, for a terminal; asks for the master password although the vault is open."
    package static var sample: (parameters: Parameters, result: Result) {
        get throws {
            (
                Parameters(masterPassword: try .sample()),
                Result(
                    document: try .sample(), items: 41,
                    losses: [.init(title: "Example", user: "ada", reason: "CXF has no place for former passwords.")],
                    lossCount: 1)
            )
        }
    }
}

extension HandOverDocument: DocumentedMethod {
    package static let summary =
        "Everything as a document for another manager, for the app; asks for the master password although the vault is open."
    package static var sample: (parameters: Parameters, result: Result) {
        get throws {
            (
                Parameters(masterPassword: try .sample()),
                Result(
                    document: try .sample(), items: 41,
                    losses: [
                        .init(
                            title: "Example", user: "ada",
                            reason: "Other providers have no place for what is in a file.")
                    ],
                    lossCount: 1)
            )
        }
    }
}
