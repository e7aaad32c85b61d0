import CExpat
import KeywayCrypto

/// What a reader of XML hands over: elements, and the text of those that hold nothing else.
package protocol XMLHandler: AnyObject {
    /// An element begins.
    func start(_ name: String, _ attributes: [String: String])
    /// Whether the text of the element that has just begun is of no use: it may then be of any length, and is not kept.
    var ignoresText: Bool { get }
    /// A piece of text that is not kept.
    func takeIgnored(_ text: UnsafeRawBufferPointer)
    /// The text of an element is whole, and may be put in another form in its place before it is handed on: how many bytes
    /// are left of it.
    func rewrite(_ text: UnsafeMutableRawBufferPointer, of name: String) -> Int
    /// An element ends. Its text is empty where other elements are in it.
    func end(_ name: String, _ text: SecretText)
}

extension XMLHandler {
    /// No text is ignored.
    package var ignoresText: Bool { false }

    /// Drops it.
    package func takeIgnored(_ text: UnsafeRawBufferPointer) {}

    /// Leaves the text as it is.
    package func rewrite(_ text: UnsafeMutableRawBufferPointer, of name: String) -> Int { text.count }
}

/// Reads XML (1.0) piece by piece, and nothing that XML can do besides: a document type, with entities of its own, is
/// refused, and nothing outside of the document is ever looked at.
package final class XMLReader {
    private let parser: OpaquePointer
    private let handler: any XMLHandler
    private let bytes: UnsafeRawBufferPointer
    private var position = 0
    /// The names of the elements that have not ended, from the outermost on.
    private var names: [String] = []
    private var arena = SecretArena(capacity: SecretArena.usualSize)
    /// Where the text of the innermost element begins; nil where it cannot be one that holds text alone.
    private var textStart: Int?
    private var failure: DocumentError?

    /// How many bytes are read at once.
    private static let pieceSize = 1 << 16

    /// A reader of a document, which must be UTF-8 (``checkedText(_:)``) and stay while it is read.
    package init(_ bytes: UnsafeRawBufferPointer, handler: any XMLHandler) throws(DocumentError) {
        // Whatever the document says of its encoding.
        guard let parser = XML_ParserCreate("UTF-8") else {
            throw DocumentError(.malformed, "no memory for XML", DocumentPlace(line: 1, offset: 0))
        }
        self.parser = parser
        self.handler = handler
        self.bytes = bytes
        XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
        XML_SetElementHandler(
            parser, { reader, name, attributes in XMLReader.of(reader)?.start(name, attributes) },
            { reader, _ in XMLReader.of(reader)?.end() })
        XML_SetCharacterDataHandler(parser) { reader, text, count in XMLReader.of(reader)?.add(text, count) }
        XML_SetStartDoctypeDeclHandler(parser) { reader, _, _, _, _ in
            XMLReader.of(reader)?.stop(.malformed, "the XML has a document type, which exports don't have")
        }
    }

    deinit { XML_ParserFree(parser) }

    /// Reads on for some 64 KiB and calls the handler.
    ///
    /// - Returns: whether there is more to read.
    /// - Throws: ``DocumentError``.
    package func readOn() throws(DocumentError) -> Bool {
        renewArena()
        let end = min(position + Self.pieceSize, bytes.count)
        let piece = UnsafeRawBufferPointer(rebasing: bytes[position..<end])
        let isLast = end == bytes.count
        let status = XML_Parse(
            parser, piece.assumingMemoryBound(to: CChar.self).baseAddress, CInt(piece.count), isLast ? 1 : 0)
        position = end
        if let failure { throw failure }
        guard status == XML_STATUS_OK else {
            let error = XML_GetErrorCode(parser)
            let isCut = error == XML_ERROR_NO_ELEMENTS || error == XML_ERROR_UNCLOSED_TOKEN
            throw self.error(isCut ? .truncated : .malformed, isCut ? "the file ends too early" : "this isn't XML")
        }
        return !isLast
    }

    /// What was handed over keeps its memory; text that is not yet whole moves to another.
    private func renewArena() {
        let former = arena
        arena = SecretArena(capacity: SecretArena.usualSize)
        guard let start = textStart else { return }
        former.buffer.withUnsafeBytes { arena.buffer.append(UnsafeRawBufferPointer(rebasing: $0[start...])) }
        textStart = 0
    }

    // MARK: - What the library calls

    private static func of(_ pointer: UnsafeMutableRawPointer?) -> XMLReader? {
        pointer.map { Unmanaged<XMLReader>.fromOpaque($0).takeUnretainedValue() }
    }

    private func start(_ name: UnsafePointer<CChar>?, _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>?) {
        guard failure == nil, let name else { return }
        let element = String(cString: name)
        names.append(element)
        guard names.count <= DocumentLimits.depth else {
            return stop(.tooDeep, "the XML nests deeper than \(DocumentLimits.depth) levels")
        }
        textStart = arena.buffer.count
        var (found, next) = ([String: String](), attributes)
        while let pair = next, let name = pair[0], let value = pair[1] {
            found[String(cString: name)] = String(cString: value)
            next = pair + 2
        }
        handler.start(element, found)
        if handler.ignoresText { textStart = nil }
    }

    private func end() {
        // The library has made sure that it is the innermost element that ends.
        guard failure == nil, let element = names.popLast() else { return }
        let start = textStart ?? arena.buffer.count
        arena.buffer.rewriteLast(arena.buffer.count - start) { handler.rewrite($0, of: element) }
        handler.end(element, SecretText(arena, start, arena.buffer.count - start))
        textStart = nil
    }

    private func add(_ text: UnsafePointer<CChar>?, _ count: CInt) {
        guard failure == nil else { return }
        guard let start = textStart else {
            return handler.takeIgnored(UnsafeRawBufferPointer(start: text, count: Int(count)))
        }
        arena.buffer.append(UnsafeRawBufferPointer(start: text, count: Int(count)))
        if arena.buffer.count - start > DocumentLimits.longestText {
            stop(.tooLarge, "a text is longer than Keyway reads")
        }
    }

    private func stop(_ code: DocumentError.Code, _ detail: String) {
        guard failure == nil else { return }
        failure = error(code, detail)
        XML_StopParser(parser, XML_Bool(XML_FALSE))
    }

    private func error(_ code: DocumentError.Code, _ detail: String) -> DocumentError {
        let offset = max(0, Int(XML_GetCurrentByteIndex(parser)))
        return DocumentError(
            code, detail, DocumentPlace(line: Int(clamping: XML_GetCurrentLineNumber(parser)), offset: offset))
    }
}
