import AutoFillProtocol
import KeywaySystem

extension ProviderInterface {
    /// The most bytes of text in one interface: JSON may double them, and they must fit a frame with what is around.
    private static let maximumBytes = 400 << 10

    /// - Throws: ``ProtocolError`` with the code `invalidParameters` when there is more text than a frame takes.
    func checkSize() throws(ProtocolError) {
        guard textBytes <= Self.maximumBytes else {
            throw ProtocolError(.invalidParameters, "The interface has too much text.")
        }
    }

    private var textBytes: Int {
        switch self {
        case .list(let list):
            list.sections.reduce(0) { sum, section in
                section.rows.reduce(sum + (section.title?.utf8.count ?? 0)) { sum, row in
                    sum + row.id.utf8.count + row.title.utf8.count + (row.subtitle?.utf8.count ?? 0)
                }
            }
        case .form(let form): form.fields.reduce(0) { $0 + $1.id.utf8.count }
        case .message(let message): message.actions.reduce(0) { $0 + $1.id.utf8.count }
        case .progress: 0
        }
    }
}
