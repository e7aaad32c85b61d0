import SecretDocuments

/// What the writer of other programs' formats says of what it wrote.
package struct ExportReport: Sendable, Equatable {
    /// Something that the format has no place for.
    package struct Loss: Sendable, Equatable {
        /// The item's title.
        package let title: String
        /// Its user name.
        package let user: String
        /// What isn't exported as it was, in a sentence.
        package let reason: String

        /// A loss of an item.
        package init(title: String, user: String, reason: String) {
            self.title = title
            self.user = user
            self.reason = reason
        }
    }

    /// How many losses, and how many formulas, are told one by one.
    package static let mostTold = 1000

    /// How many entries were written: rows of a table, entries of a database.
    package var entries = 0
    /// How many losses there are.
    package private(set) var lossCount = 0
    /// The first of them.
    package private(set) var losses: [Loss] = []
    /// How many cells a spreadsheet would compute.
    package private(set) var formulaCount = 0
    /// The first of them: of which item, and in the place of a reason, in which column.
    package private(set) var formulas: [Loss] = []
    /// What is to say of the whole file, in sentences.
    package var notices: [String] = []

    /// A report of nothing.
    package init() {}

    /// Adds a loss.
    package mutating func add(_ loss: Loss) {
        lossCount += 1
        if losses.count < Self.mostTold { losses.append(loss) }
    }

    /// Adds a cell that a spreadsheet would compute; its column stands in the place of a reason.
    package mutating func add(formula: Loss) {
        formulaCount += 1
        if formulas.count < Self.mostTold { formulas.append(formula) }
    }

    // MARK: - As JSON

    /// Reads what ``write(_:)`` wrote; nil for anything else.
    package init?(_ bytes: UnsafeRawBufferPointer) {
        guard let text = try? checkedText(bytes), let object = (try? JSONScanner.document(text))?.object,
            let entries = object["entries"]?.integer, let lossCount = object["lossCount"]?.integer,
            let formulaCount = object["formulaCount"]?.integer
        else { return nil }
        func list(_ name: String) -> [Loss] {
            (object[name]?.elements ?? []).compactMap(\.object).map { entry in
                Loss(
                    title: entry.publicText("title"), user: entry.publicText("user"),
                    reason: entry.publicText("reason"))
            }
        }
        self.entries = Int(clamping: entries)
        self.lossCount = Int(clamping: lossCount)
        self.formulaCount = Int(clamping: formulaCount)
        (losses, formulas) = (list("losses"), list("formulas"))
        notices = (object["notices"]?.elements ?? []).compactMap(\.publicText)
    }

    /// Writes the report.
    package func write(_ write: @escaping (UnsafeRawBufferPointer) -> Void) {
        let writer = JSONWriter<Never> { write($0) }
        writer.object { members in
            members.add("entries", number: Int64(entries))
            members.add("lossCount", number: Int64(lossCount))
            members.add("formulaCount", number: Int64(formulaCount))
            for (name, list) in [("losses", losses), ("formulas", formulas)] {
                members.add(name, each: list) { writer, entry in
                    writer.object { members in
                        members.add("title", text: entry.title)
                        members.add("user", text: entry.user)
                        members.add("reason", text: entry.reason)
                    }
                }
            }
            members.add("notices", each: notices) { $0.text($1) }
        }
        writer.end()
    }
}
