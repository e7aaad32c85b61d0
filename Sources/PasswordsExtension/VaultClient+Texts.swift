import AutoFillProtocol
import AutoFillWire
import KeywaySystem
import PasswordsProtocol

/// Texts to insert: notes, custom fields, and what else of an item is text.
extension VaultClient {
    /// How many sections of an item are looked into.
    private static let mostSections = 50

    /// Which texts an item has.
    func texts(of record: String) async throws -> ItemTexts {
        let item = try await call(ShowItem.self, .init(item: ItemName(record), parts: [.notes]))
        guard item.summary.id == record else { throw ProtocolError(.notFound, "The item no longer exists.") }
        var entries: [ItemTexts.Entry] = []
        if item.notes != nil { entries.append(.init(text: .notes, name: "Notes", isHidden: false)) }
        for (place, field) in item.fields.enumerated() {
            entries.append(.init(text: .field(place), name: field.name, isHidden: field.isHidden))
        }
        let readable = (item.summary.sections ?? []).filter { section in
            section.isReadable && !SectionWords.isForPrograms(section.type)
        }
        for section in readable.prefix(Self.mostSections) {
            let shown = try await call(
                ShowSection.self, .init(item: ItemName(record), section: section.number, opens: false))
            for (place, member) in shown.members.enumerated() where member.isText && member.name != "label" {
                let name = SectionWords.member(member.name, of: section.type, label: member.label)
                entries.append(
                    .init(
                        text: .member(section: section.number, place),
                        name: readable.count > 1 ? "\(Self.heading(section)): \(name)" : name,
                        isHidden: member.isHidden))
            }
        }
        return ItemTexts(record: record, title: item.summary.title, entries: entries)
    }

    /// What a section is called where several are listed.
    private static func heading(_ section: SectionSummary) -> String {
        let kind = SectionWords.kind(section.type) ?? section.type
        return kind.prefix(1).uppercased() + kind.dropFirst() + (section.title.map { " “\($0)”" } ?? "")
            + (section.size.map { " (\(SectionWords.size($0)))" } ?? "")
    }

    /// One text of an item, unread.
    func text(_ text: ItemText, of record: String) async throws -> SealedPassword {
        let value: Attachment?
        switch text {
        case .notes: value = try await shown(record, .notes).notes
        case .field(let place):
            let fields = try await shown(record, .fields).fields
            value = fields.indices.contains(place) ? fields[place].value : nil
        case .member(let section, let place):
            let members = try await call(
                ShowSection.self, .init(item: ItemName(record), section: section, opens: true)
            ).members
            value = members.indices.contains(place) ? members[place].value : nil
        }
        guard let value else { throw ProtocolError(.notFound, "The text no longer exists.") }
        return SealedPassword(memory: try value.sealedMemory())
    }

    private func shown(_ record: String, _ part: ShowItem.Part) async throws -> ShowItem.Result {
        let item = try await call(ShowItem.self, .init(item: ItemName(record), parts: [part]))
        guard item.summary.id == record else { throw ProtocolError(.notFound, "The item no longer exists.") }
        return item
    }
}
