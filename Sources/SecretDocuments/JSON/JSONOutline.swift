/// An object that is too large to be read at once: its members but for some, and where the values of those lie.
package struct JSONOutline {
    /// The most members that the outermost object has.
    package static let mostMembers = 1000

    /// The members that were read.
    package let object: JSONObject
    /// Where the values of the others lie, by their names.
    package let places: [String: Range<Int>]
    /// Where the elements of those lie that are arrays and were to be listed.
    package let elements: [String: [Range<Int>]]

    /// Reads an object at a place of a document, or the whole document; nil for a value of another kind. All of it is
    /// checked, also what is not read.
    ///
    /// - Parameters:
    ///   - names: the members that are left where they are.
    ///   - longestText: the longest text in those, in bytes.
    ///   - listed: those of them whose elements are found in the same pass; an array of more than `most` is `tooLarge`.
    /// - Throws: ``DocumentError``.
    package init?(
        _ bytes: UnsafeRawBufferPointer, at place: Range<Int>? = nil, leaving names: Set<String>,
        longestText: Int = DocumentLimits.longestText, listing listed: Set<String> = [],
        most: Int = DocumentLimits.mostItems
    ) throws(DocumentError) {
        var scanner = JSONScanner(bytes, at: place?.lowerBound ?? 0)
        scanner.longestText = longestText
        guard try scanner.kind() == .object else {
            try scanner.skip()
            if place == nil { try scanner.end() }
            return nil
        }
        var (members, seen) = (try scanner.object(), Set<String>())
        var (found, places) = ([JSONObject.Member](), [String: Range<Int>]())
        var elements: [String: [Range<Int>]] = [:]
        while let text = try members.next(&scanner) {
            let name = try scanner.publicName(text)
            guard seen.insert(name).inserted else { throw scanner.error(.repeated, "an object has a member twice") }
            // Each of them has guarded memory of its own.
            guard seen.count <= Self.mostMembers else {
                throw scanner.error(.tooLarge, "the file's object has more than \(Self.mostMembers) members")
            }
            if listed.contains(name), try scanner.kind() == .array {
                elements[name] = try Self.elements(&scanner, most: most)
                continue
            }
            let place = try scanner.skip()
            if names.contains(name) {
                places[name] = place
            } else {
                found.append(JSONObject.Member(name, try JSONScanner.large(at: place, in: bytes)))
            }
        }
        if place == nil { try scanner.end() }
        object = JSONObject(found)
        self.places = places
        self.elements = elements
    }

    /// Where the elements of an array lie; nil for a value of another kind.
    ///
    /// - Throws: ``DocumentError``; `tooLarge` for more than `most`.
    package static func elements(
        at place: Range<Int>, in bytes: UnsafeRawBufferPointer, most: Int = DocumentLimits.mostItems
    ) throws(DocumentError) -> [Range<Int>]? {
        var scanner = JSONScanner(bytes, at: place.lowerBound)
        guard try scanner.kind() == .array else { return nil }
        return try elements(&scanner, most: most)
    }

    private static func elements(_ scanner: inout JSONScanner, most: Int) throws(DocumentError) -> [Range<Int>] {
        var (elements, places) = (try scanner.array(), [Range<Int>]())
        while try elements.next(&scanner) {
            guard places.count < most else {
                throw scanner.error(.tooLarge, "the file has more than \(most) items")
            }
            places.append(try scanner.skip())
        }
        return places
    }

    /// The members of an object, by their names, and where their values lie; nil for a value of another kind.
    ///
    /// - Throws: ``DocumentError``; `tooLarge` for more than ``DocumentLimits/mostItems``.
    package static func members(
        at place: Range<Int>, in bytes: UnsafeRawBufferPointer
    ) throws(DocumentError) -> [(name: String, place: Range<Int>)]? {
        var scanner = JSONScanner(bytes, at: place.lowerBound)
        guard try scanner.kind() == .object else { return nil }
        var (members, places) = (try scanner.object(), [(name: String, place: Range<Int>)]())
        while let text = try members.next(&scanner) {
            guard places.count < DocumentLimits.mostItems else {
                throw scanner.error(.tooLarge, "the file has more than \(DocumentLimits.mostItems) items")
            }
            places.append((try scanner.publicName(text), try scanner.skip()))
        }
        return places
    }
}

/// Reads values that lie in a document one after another, and copies some 64 KiB of them at a time.
package struct JSONValues {
    private let bytes: UnsafeRawBufferPointer
    private var places: ArraySlice<Range<Int>>
    private var read: [JSONValue] = []

    /// The values at these places.
    package init(at places: [Range<Int>], in bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
        self.places = places[...]
    }

    /// The next value; nil at the end.
    ///
    /// - Throws: ``DocumentError`` for a value with a member twice, or with too many parts.
    package mutating func next() throws(DocumentError) -> JSONValue? {
        if read.isEmpty {
            var (some, size) = ([Range<Int>](), 0)
            while size < SecretArena.usualSize, let place = places.popFirst() {
                some.append(place)
                size += place.count
            }
            read = try JSONScanner.values(at: some, in: bytes).reversed()
        }
        return read.popLast()
    }
}
