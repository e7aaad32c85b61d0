import AutoFillProtocol

@testable import TerminalInterface

enum Samples {
    static let header = PresentationHeader(
        provider: ProviderReference(identifier: "org.keyway.passwords", name: "Passwords"),
        service: "login.example.com")
    static let plain = Appearance(hasColours: false, hasUnicode: false)
    static let rich = Appearance(hasColours: true, hasUnicode: true)
    static let size = ScreenSize(columns: 60, rows: 24)

    static let list = InterfaceList(
        title: "Choose an account",
        sections: [
            .init(
                title: "For this site",
                rows: [
                    .init(id: "1", title: "Example", subtitle: "ada"),
                    .init(id: "2", title: "Example", subtitle: "bob"),
                ]
            ),
            .init(title: "All", rows: [.init(id: "3", title: "日本の銀行", subtitle: "ada@example.org")]),
        ])

    static let form = InterfaceForm(
        title: "Unlock Passwords", explanation: "The vault is locked.",
        fields: [.init(id: "master", label: "Master password", kind: .secure)], submitTitle: "Unlock")

    static func long(_ count: Int) -> InterfaceList {
        InterfaceList(
            title: "Many",
            sections: [.init(rows: (1...count).map { .init(id: "\($0)", title: "Row \($0)", subtitle: nil) })])
    }

    static func presentation(_ interface: ProviderInterface) throws -> Presentation {
        try Presentation(header: header, interface: interface)
    }

    static func screen(_ interface: ProviderInterface) throws -> TestScreen {
        TestScreen(try presentation(interface))
    }
}

/// A screen that keys are typed at.
final class TestScreen {
    private var state: ScreenState

    init(_ presentation: Presentation) { state = ScreenState(presentation) }

    var isAnimated: Bool { state.isAnimated }

    /// Types `keys` and returns what came of the last.
    func type(_ keys: [Key], size: ScreenSize = Samples.size) throws -> Reaction {
        var last = Reaction.none
        for key in keys { last = try state.handle(key, size: size) }
        return last
    }

    @discardableResult
    func update(_ presentation: Presentation) -> Reaction { state.update(presentation) }

    func frame(size: ScreenSize, _ appearance: Appearance) -> Frame { state.frame(size: size, appearance) }

    func text(_ appearance: Appearance = Samples.plain, size: ScreenSize = Samples.size) -> String {
        frame(size: size, appearance).text
    }
}

extension Reaction {
    var chosenRow: String? { if case .event(.chose(let row)) = self { row } else { nil } }
    var isCancelled: Bool { if case .event(.cancelled) = self { true } else { false } }
    var isAbandoned: Bool { if case .abandon = self { true } else { false } }
    var isNone: Bool { if case .none = self { true } else { false } }
    var values: [String: InterfaceValue]? { if case .event(.submitted(let values)) = self { values } else { nil } }
}

extension InterfaceValue {
    var text: String? {
        switch self {
        case .text(let text): text
        case .secret(let secret): try? secret.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        }
    }
}
