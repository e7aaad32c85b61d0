import AutoFillProtocol
import AutoFillWire
import KeywayCrypto
import KeywaySystem
import PasswordsProtocol

/// The sections of an item, as `keyway passwords show` prints them.
struct ShownSections: Sendable {
    /// In the order of their numbers.
    private(set) var all: [ShownSection] = []

    /// The sections of an item that was shown; those that were not shown with it are asked for.
    ///
    /// - Parameter opens: whether their values are wanted, too.
    /// - Throws: ``ProtocolError``.
    init(_ item: ShowItem.Result, in service: Connection, opens: Bool) async throws {
        for section in item.summary.sections ?? [] {
            if let content = item.sections?.first(where: { $0.section == section.number }) {
                all.append(ShownSection(section, content.members, total: content.members.count))
                continue
            }
            guard section.isReadable, !SectionWords.isForPrograms(section.type) else {
                all.append(ShownSection(section, [], total: 0))
                continue
            }
            let shown = try await service.call(
                ShowSection.self, .init(item: ItemName(item.summary.id), section: section.number, opens: opens))
            all.append(ShownSection(section, shown.members, total: shown.total))
        }
    }

    /// None.
    init() {}

    /// The first member that is called so.
    func member(called name: String) -> ShowSection.Member? { all.lazy.compactMap { $0.member(called: name) }.first }

    /// What the members with text are called.
    var names: [String] { all.flatMap(\.names) }

    /// - Throws: ``ProtocolError`` for a value that can't be read.
    func json(revealed: Bool) throws -> JSONValue {
        let sections = try all.map { try $0.json(revealed: revealed) }
        return .array(sections.map { .object($0) })
    }
}

/// One section of an item.
struct ShownSection: Sendable {
    private let summary: SectionSummary
    private let members: [ShowSection.Member]
    private let total: Int

    /// A section with its first members, of `total` in all.
    init(_ summary: SectionSummary, _ members: [ShowSection.Member], total: Int) {
        self.summary = summary
        self.members = members
        self.total = total
    }

    /// The member that the person, Keyway or CXF calls so.
    func member(called name: String) -> ShowSection.Member? {
        members.first { $0.label == name } ?? members.first { Strings.member($0, of: summary.type) == name }
            ?? members.first { $0.name == name }
    }

    /// What the members with text are called.
    var names: [String] { members.filter(\.isText).map { Strings.member($0, of: summary.type) } }

    /// Writes it as rows: secrets go from locked memory to the buffer, not through strings.
    ///
    /// - Throws: ``ProtocolError`` for a value that can't be read.
    func write(to buffer: SecretBuffer, revealed: Bool) throws {
        buffer.append(utf8Of: Strings.row(Strings.sectionNumber(summary.number), Strings.section(summary)))
        // What names the section stands in its first row.
        for member in members where member.name != "label" {
            let label = Strings.memberRow(Strings.member(member, of: summary.type))
            guard revealed, let value = member.value else {
                buffer.append(
                    utf8Of: Strings.row(
                        label, revealed || !member.isText ? Strings.bytesValue : Strings.hiddenValue))
                continue
            }
            buffer.append(utf8Of: Strings.rowStart(label))
            buffer.append(try SecretBytes(value))
            buffer.append(utf8Of: "\n")
        }
        if members.count < total { buffer.append(utf8Of: Strings.moreMembers(total - members.count) + "\n") }
    }

    /// - Throws: ``ProtocolError`` for a value that can't be read.
    func json(revealed: Bool) throws -> [(String, JSONValue)] {
        let members = try members.map { member -> JSONValue in
            var parts: [(String, JSONValue)] = [
                ("name", .string(member.name)), ("label", member.label.map { .string($0) } ?? .null),
                ("words", .string(Strings.member(member, of: summary.type))), ("hidden", .bool(member.isHidden)),
            ]
            if revealed {
                parts.append(("value", try member.value.map { .secret(try SecretBytes($0)) } ?? .null))
            }
            return .object(parts)
        }
        return SearchCommand.members(summary) + [("members", .array(members))]
    }
}
