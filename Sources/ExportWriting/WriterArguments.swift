/// What the writer is told; nothing secret, since arguments can be read by every program.
package enum WriterArguments: Equatable, Sendable {
    /// Write the document on descriptor 4 in that format; a password, or a request, is on standard input.
    case write(ExportFormat)
    /// Say what the request on standard input asks for.
    case inspect
    /// Make a new request.
    case request

    /// Reads the arguments: `--format FORMAT`, `--inspect` or `--request`; nil for anything else.
    package init?(_ arguments: some Sequence<String>) {
        switch Array(arguments) {
        case ["--inspect"]: self = .inspect
        case ["--request"]: self = .request
        case let words where words.count == 2 && words[0] == "--format":
            guard let format = ExportFormat(rawValue: words[1]) else { return nil }
            self = .write(format)
        default: return nil
        }
    }
}
