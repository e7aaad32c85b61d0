import AutoFillProtocol
import AutoFillWire
import CredentialExchange
import Glibc
import KeywaySystem
import PasswordsProtocol

/// `keyway import`: has what was read stored in the vault, after it said what will become of it, and reports what became of
/// it.
struct ImportStoring {
    let context: CommandContext

    /// Stores all of the files in one transaction.
    func store(_ exports: [ReadExport]) async throws {
        // Whatever the reader wrote, it is a document of its form before anything of it is stored.
        let opened = try exports.map { try $0.open() }
        let summarizing = Task { try zip(exports, opened).map { try ExportSummary(of: $0, $1) } }
        let isAsked = !context.invocation.has("--yes")
        if isAsked { try say(try await summarizing.value) }
        let document = Attachment(try ImportUnion.document(of: exports).descriptor)
        let display = ProgressDisplay(context)
        let done = try await VaultDoor(context: context).openUnlocked(methods: display.methods) { service -> Done in
            // Where nobody is asked what becomes of it, all there is to say of it is known once it is stored.
            guard isAsked else {
                let choice = Self.choices[context.invocation.value("--conflicts") ?? ""] ?? .keepBoth
                let imported = try await store(document, choice, service, display)
                return Done(imported)
            }
            let compared = try await display.perform(.init(title: Strings.comparing, text: Strings.compared)) {
                try await service.call(CompareDocument.self, .init(document: document))
            }
            let counts = compared.counts
            try context.say(Strings.compared(counts))
            let nothing = Done(counts: counts, findings: compared.findings, result: nil)
            guard counts.new + counts.conflicts > 0 else { return nothing }
            let choice = try await choice(counts)
            guard choice != .skip || counts.new > 0 else { return nothing }
            try confirm(counts, choice)
            return Done(try await store(document, choice, service, display))
        }
        // Its answer is taken: it opens nothing any more.
        if exports.contains(where: \.isAnswer) { WaitingRequest.remove(try context.requestPath()) }
        let summaries = try await summarizing.value
        if !isAsked {
            try say(summaries)
            try context.say(Strings.compared(done.counts))
        }
        try ImportReport(
            context: context, exports: exports, summaries: summaries, counts: done.counts, findings: done.findings,
            result: done.result
        ).show()
        if let result = done.result, result.added + result.replaced > 0 { try offerRemoval(exports) }
    }

    /// What came of it.
    fileprivate struct Done {
        let counts: ImportCounts
        let findings: Attachment
        /// Nil where there was nothing to store.
        let result: ImportDocument.Result?
    }

    private func say(_ summaries: [ExportSummary]) throws {
        for summary in summaries { try context.say(summary.heading) }
    }

    /// Takes back the last import.
    func undo() async throws {
        try await VaultDoor(context: context).openUnlocked { service in
            if !context.invocation.has("--yes") {
                let isSure = try context.questions.confirm(
                    Strings.confirmUndoingImport, elseHint: Strings.confirmByOption)
                guard isSure else { throw CommandError(.cancelled, Strings.nothingUndone) }
            }
            let undone = try await service.call(UndoImport.self, Nothing())
            guard context.wantsJSON else {
                try context.say(Strings.undone(undone))
                let rows = undone.kept.map { ["  " + $0.title, $0.user] }
                if !rows.isEmpty { try context.surroundings.output.write(TextTable.text(rows)) }
                return
            }
            try context.print(
                .object([
                    ("removed", .integer(undone.removed)), ("restored", .integer(undone.restored)),
                    ("kept", .integer(undone.keptCount)),
                ]), text: "")
        }
    }

    private func store(
        _ document: Attachment, _ choice: ConflictChoice, _ service: Connection, _ display: ProgressDisplay
    ) async throws -> ImportDocument.Result {
        try await display.perform(.init(title: Strings.importing, text: Strings.imported)) {
            try await service.call(ImportDocument.self, .init(document: document, conflicts: choice))
        }
    }

    // MARK: - Questions

    /// What becomes of conflicts: as the option says, or the person; without either, both are kept.
    private func choice(_ counts: ImportCounts) async throws -> ConflictChoice {
        if let typed = context.invocation.value("--conflicts") { return Self.choices[typed] ?? .keepBoth }
        guard counts.conflicts > 0, context.questions.areTyped else { return .keepBoth }
        let rows = Self.choices.sorted { $0.key < $1.key }.map { name, choice in
            InterfaceList.Row(id: name, title: Strings.conflictTitle(choice), subtitle: Strings.conflictText(choice))
        }
        let interface = ProviderInterface.list(
            InterfaceList(
                title: Strings.conflictQuestion(counts.conflicts), sections: [.init(rows: rows)], search: .none))
        guard case .chose(let name) = try await context.questions.answer(to: interface, service: nil),
            let choice = Self.choices[name]
        else { throw CommandError(.cancelled, Strings.nothingImported) }
        return choice
    }

    /// The choices, as they are typed.
    static let choices: [String: ConflictChoice] = ["keep-both": .keepBoth, "skip": .skip, "replace": .replace]

    private func confirm(_ counts: ImportCounts, _ choice: ConflictChoice) throws(CommandError) {
        let isSure = try context.questions.confirm(
            Strings.confirmImport(counts, choice), elseHint: Strings.confirmByOption)
        guard isSure else { throw CommandError(.cancelled, Strings.nothingImported) }
    }

    /// The files still hold every password as plain text. Only a person's yes removes one, and only the very file that was
    /// read.
    private func offerRemoval(_ exports: [ReadExport]) throws {
        for export in exports where !export.isProtected {
            let path = export.file.filePath
            guard context.questions.areTyped, !context.wantsJSON, !context.invocation.has("--yes") else {
                try context.say(Strings.fileIsStillThere(path))
                continue
            }
            guard (try? context.questions.confirm(Strings.offerRemoval(path), elseHint: "")) ?? false else {
                try context.say(Strings.fileIsStillThere(path))
                continue
            }
            guard export.file.isStillThere else {
                try context.say(Strings.fileIsAnother(path))
                continue
            }
            guard unlink(path) == 0 else {
                try context.say(Strings.notRemoved(path, SystemCall.describe(errno)))
                continue
            }
            try context.say(Strings.fileRemoved(path))
        }
    }
}

extension ImportStoring.Done {
    fileprivate init(_ imported: ImportDocument.Result) {
        self.init(
            counts: imported.counts, findings: imported.findings,
            result: imported.added + imported.replaced > 0 ? imported : nil)
    }
}
