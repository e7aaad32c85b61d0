/// Writes the members of an object one after another. For documents of many small objects: a ``JSONObject`` would take
/// guarded memory for each text in it, also for those that are the same in all of them.
package struct JSONMembers<Failure: Error> {
    private let writer: JSONWriter<Failure>
    private var isFirst = true

    fileprivate init(_ writer: JSONWriter<Failure>) { self.writer = writer }

    /// Adds a member whose value `write` writes.
    package mutating func add(
        _ name: String, _ write: (JSONWriter<Failure>) throws(Failure) -> Void
    ) throws(Failure) {
        if !isFirst { try writer.raw(",") }
        isFirst = false
        try writer.name(name)
        try write(writer)
    }

    /// Adds a value; nothing for none.
    package mutating func add(_ name: String, _ value: JSONValue?) throws(Failure) {
        guard let value else { return }
        try add(name) { (writer) throws(Failure) in try writer.value(value) }
    }

    /// Adds text that is no secret.
    package mutating func add(_ name: String, text: String) throws(Failure) {
        try add(name) { (writer) throws(Failure) in try writer.text(text) }
    }

    /// Adds a number; nothing for none.
    package mutating func add(_ name: String, number: Int64?) throws(Failure) {
        guard let number else { return }
        try add(name) { (writer) throws(Failure) in try writer.raw(String(number)) }
    }

    /// Adds an object.
    package mutating func add(
        _ name: String, object: (inout JSONMembers) throws(Failure) -> Void
    ) throws(Failure) {
        try add(name) { (writer) throws(Failure) in try writer.object(object) }
    }

    /// Adds an array, also an empty one.
    package mutating func add<Element>(
        _ name: String, each elements: some Sequence<Element>,
        _ write: (JSONWriter<Failure>, Element) throws(Failure) -> Void
    ) throws(Failure) {
        try add(name) { (writer) throws(Failure) in try writer.array(elements, write) }
    }
}

extension JSONWriter {
    /// Writes an object member by member.
    package func object(_ write: (inout JSONMembers<Failure>) throws(Failure) -> Void) throws(Failure) {
        try raw("{")
        var members = JSONMembers(self)
        try write(&members)
        try raw("}")
    }

    /// Writes an array element by element.
    package func array<Element>(
        _ elements: some Sequence<Element>, _ write: (JSONWriter, Element) throws(Failure) -> Void
    ) throws(Failure) {
        try raw("[")
        var isFirst = true
        for element in elements {
            if !isFirst { try raw(",") }
            isFirst = false
            try write(self, element)
        }
        try raw("]")
    }
}
