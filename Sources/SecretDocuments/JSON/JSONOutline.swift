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
    /// The elements of the one that was to be opened, each likewise, nil for what is no object; nil where that is no array.
    package let opened: [JSONOutline?]?

    /// What is read of an object, and how.
    private struct Plan {
        var names: Set<String>
        var listed: Set<String>
        var opened: String?
        let most: Int
        let passed: PassedBytes?

        /// What is read of the elements that are opened.
        var ofElements: Plan {
            var plan = self
            if let opened { plan.names.remove(opened) }
            plan.opened = nil
            return plan
        }
    }

    /// Reads an object at a place of a document, or the whole document; nil for a value of another kind. All of it is
    /// checked, also what is not read, in one pass.
    ///
    /// - Parameters:
    ///   - names: the members that are left where they are.
    ///   - longestText: the longest text in those, in bytes.
    ///   - listed: those of them whose elements are found in the same pass; an array of more than `most` is `tooLarge`.
    ///   - name: the one of them whose elements are objects that are read likewise, but for that.
    ///   - passed: hears of each part in those that was gone through.
    /// - Throws: ``DocumentError``.
    package init?(
        _ bytes: UnsafeRawBufferPointer, at place: Range<Int>? = nil, leaving names: Set<String>,
        longestText: Int = DocumentLimits.longestText, listing listed: Set<String> = [], opening name: String? = nil,
        most: Int = DocumentLimits.mostItems, passed: PassedBytes? = nil
    ) throws(DocumentError) {
        var scanner = JSONScanner(bytes, at: place?.lowerBound ?? 0)
        scanner.longestText = longestText
        let plan = Plan(names: names, listed: listed, opened: name, most: most, passed: passed)
        let outline = try Self.read(&scanner, plan)
        if place == nil { try scanner.end() }
        guard let outline else { return nil }
        self = outline
    }

    private init(
        _ object: JSONObject, _ places: [String: Range<Int>], _ elements: [String: [Range<Int>]],
        _ opened: [JSONOutline?]?
    ) {
        self.object = object
        self.places = places
        self.elements = elements
        self.opened = opened
    }

    private static func read(_ scanner: inout JSONScanner, _ plan: Plan) throws(DocumentError) -> JSONOutline? {
        guard try scanner.kind() == .object else {
            try scanner.skip()
            return nil
        }
        var (members, seen) = (try scanner.object(), Set<String>())
        var (found, places) = ([JSONObject.Member](), [String: Range<Int>]())
        var (elements, opened) = ([String: [Range<Int>]](), [JSONOutline?]?.none)
        while let text = try members.next(&scanner) {
            let name = try scanner.publicName(text)
            guard seen.insert(name).inserted else { throw scanner.error(.repeated, "an object has a member twice") }
            // Each of them has guarded memory of its own.
            guard seen.count <= mostMembers else {
                throw scanner.error(.tooLarge, "the file's object has more than \(mostMembers) members")
            }
            if plan.listed.contains(name), try scanner.kind() == .array {
                elements[name] = try Self.elements(&scanner, most: plan.most, plan.passed)
                continue
            }
            if plan.opened == name, try scanner.kind() == .array {
                opened = try outlines(&scanner, plan)
                continue
            }
            let place = try scanner.skip()
            if plan.names.contains(name) {
                places[name] = place
            } else {
                found.append(JSONObject.Member(name, try JSONScanner.large(at: place, in: scanner.bytes)))
            }
        }
        return JSONOutline(JSONObject(found), places, elements, opened)
    }

    private static func outlines(_ scanner: inout JSONScanner, _ plan: Plan) throws(DocumentError) -> [JSONOutline?] {
        var (elements, found) = (try scanner.array(), [JSONOutline?]())
        let plan = (most: plan.most, ofElements: plan.ofElements)
        while try elements.next(&scanner) {
            guard found.count < plan.most else {
                throw scanner.error(.tooLarge, "the file has more than \(plan.most) items")
            }
            found.append(try read(&scanner, plan.ofElements))
        }
        return found
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

    private static func elements(
        _ scanner: inout JSONScanner, most: Int, _ passed: PassedBytes? = nil
    ) throws(DocumentError) -> [Range<Int>] {
        var (elements, places, start) = (try scanner.array(), [Range<Int>](), scanner.position)
        while try elements.next(&scanner) {
            guard places.count < most else {
                throw scanner.error(.tooLarge, "the file has more than \(most) items")
            }
            places.append(try scanner.skip())
            guard let passed, scanner.position - start >= windowSize else { continue }
            passed(start..<scanner.position)
            start = scanner.position
        }
        passed?(start..<scanner.position)
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
    private let passed: PassedBytes?
    private var start: Int

    /// The values at these places, which follow one another; `passed` hears of each part that was read.
    package init(at places: [Range<Int>], in bytes: UnsafeRawBufferPointer, passed: PassedBytes? = nil) {
        self.bytes = bytes
        self.places = places[...]
        self.passed = passed
        start = places.first?.lowerBound ?? 0
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
            if let passed, let end = some.last?.upperBound, end - start >= windowSize || places.isEmpty {
                passed(start..<end)
                start = end
            }
        }
        return read.popLast()
    }
}
