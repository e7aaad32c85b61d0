/// Finds the entry of an item by its identifier: open addressing over entry numbers, four bytes each. Identifiers are
/// random and authenticated, so their first bits serve as the hash.
struct ItemTable {
    private static let empty = UInt32.max
    private static let removed = UInt32.max - 1
    private var slots: [UInt32]
    private var occupied = 0

    /// - Parameter capacity: how many items to expect.
    init(capacity: Int) {
        var size = 64
        while size < capacity * 2 { size <<= 1 }
        slots = [UInt32](repeating: Self.empty, count: size)
    }

    /// The entry of an item; `identifier` tells which item an entry belongs to.
    @inline(__always)
    func find(_ item: ItemID, _ identifier: (UInt32) -> ItemID) -> UInt32? {
        slot(of: item, identifier).map { slots[$0] }
    }

    /// Adds an item that is not there.
    @inline(__always)
    mutating func insert(_ item: ItemID, _ entry: UInt32, _ identifier: (UInt32) -> ItemID) {
        if (occupied + 1) * 2 > slots.count { grow(identifier) }
        var slot = home(item)
        while slots[slot] < Self.removed { slot = next(slot) }
        if slots[slot] == Self.empty { occupied += 1 }
        slots[slot] = entry
    }

    /// Takes an item away.
    mutating func remove(_ item: ItemID, _ identifier: (UInt32) -> ItemID) {
        guard let slot = slot(of: item, identifier) else { return }
        slots[slot] = Self.removed
    }

    @inline(__always)
    private func slot(of item: ItemID, _ identifier: (UInt32) -> ItemID) -> Int? {
        var slot = home(item)
        while slots[slot] != Self.empty {
            if slots[slot] < Self.removed, identifier(slots[slot]) == item { return slot }
            slot = next(slot)
        }
        return nil
    }

    private mutating func grow(_ identifier: (UInt32) -> ItemID) {
        let entries = slots.filter { $0 < Self.removed }
        self = ItemTable(capacity: max(entries.count * 2, slots.count / 2))
        for entry in entries { insert(identifier(entry), entry, identifier) }
    }

    private func home(_ item: ItemID) -> Int { Int(truncatingIfNeeded: item.high >> 20) & (slots.count - 1) }

    private func next(_ slot: Int) -> Int { (slot + 1) & (slots.count - 1) }
}
