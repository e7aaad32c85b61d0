/// Ours: what an application says of an export or an import when it is done, for whoever asked for it in a terminal.
public struct KeywayExchangeReport: Codable, Hashable, Sendable {
    /// Something that was left out, or changed.
    public struct Notice: Codable, Hashable, Sendable {
        /// The item, as the person knows it.
        public var item: String
        /// What became of it, in a sentence.
        public var reason: String

        /// `reason`, of `item`.
        public init(item: String, reason: String) {
            self.item = item
            self.reason = reason
        }
    }

    /// How many items went over.
    public var items: Int
    /// What was left out, or changed.
    public var notices: [Notice]

    /// A report of `items` items.
    public init(items: Int = 0, notices: [Notice] = []) {
        self.items = items
        self.notices = notices
    }
}
