package import SecretDocuments

/// Why the reader of other programs' exports could not read a file: what it leaves in place of a document.
package struct ImportFailure: Sendable, Equatable {
    /// The kinds of failure. The raw values are what is written.
    package enum Code: String, Sendable, CaseIterable {
        /// No format that is known looks like this.
        case unknownFormat
        /// The format is known, and the file is not in it.
        case damaged
        /// It is of a version, or encrypted in a way, that cannot be read.
        case unsupported
        /// It, or a part of it, is larger than is read.
        case tooLarge
        /// It is encrypted, and no password was given.
        case needsPassword
        /// The password is another.
        case wrongPassword
        /// What was given as its key file is none.
        case damagedKeyFile
        /// Deriving its key takes more memory than is allowed without asking the person: ``ImportFailure/memory``.
        case needsMemory
        /// Deriving its key takes more memory, or more time, than is ever spent on a file.
        case tooCostly
        /// It answers a request for an export, whose keys were not given.
        case needsRequestKeys
        /// It answers another request than the one whose keys were given.
        case otherRequest
        /// A library did not do what it was asked.
        case failed
    }

    /// What kind of failure this is.
    package let code: Code
    /// What is wrong, in words; no content.
    package let detail: String
    /// What a person can do about it.
    package let advice: String
    /// Where it is wrong, where that is known.
    package let place: DocumentPlace?
    /// How much memory deriving the key takes, in bytes, where that is what is missing.
    package let memory: Int64?

    /// A failure by its parts.
    package init(
        _ code: Code, detail: String, advice: String, place: DocumentPlace? = nil, memory: Int64? = nil
    ) {
        self.memory = memory
        self.code = code
        self.detail = detail
        self.advice = advice
        self.place = place
    }

    /// Reads what ``write(_:)`` wrote; nil for anything else.
    package init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count <= Self.longest, let text = try? checkedText(bytes),
            let object = (try? JSONScanner.document(text))?.object,
            let code = Code(rawValue: object.publicText("code"))
        else { return nil }
        let place = object["place"]?.object
        self.init(
            code, detail: object.publicText("detail"), advice: object.publicText("advice"),
            place: place?["line"]?.integer.flatMap { line in
                place?["offset"]?.integer.map { DocumentPlace(line: Int(clamping: line), offset: Int(clamping: $0)) }
            }, memory: object["memory"]?.integer)
    }

    private static let longest = 1 << 16

    /// Writes the failure as a document of its own.
    package func write(_ write: @escaping (UnsafeRawBufferPointer) -> Void) {
        let writer = JSONWriter<Never> { write($0) }
        writer.object { members in
            members.add("code", text: code.rawValue)
            members.add("detail", text: detail)
            members.add("advice", text: advice)
            members.add("memory", number: memory)
            guard let place else { return }
            members.add("place") { writer in
                writer.object { members in
                    members.add("line", number: Int64(place.line))
                    members.add("offset", number: Int64(place.offset))
                }
            }
        }
        writer.end()
    }
}
