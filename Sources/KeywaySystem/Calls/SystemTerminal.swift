import CSys
import Glibc

/// What only C can say of a terminal.
package enum SystemTerminal {
    /// Whether this process is in the background of its controlling terminal; false where it has none.
    package static var isInBackground: Bool { ProcessStatus(of: getpid())?.isInBackground ?? false }

    /// The size of the terminal behind `descriptor` in characters; nil when it is none or does not know.
    package static func size(of descriptor: CInt) -> (columns: Int, rows: Int)? {
        var columns: UInt16 = 0
        var rows: UInt16 = 0
        guard csys_terminal_size(descriptor, &columns, &rows) == 0, columns > 0, rows > 0 else { return nil }
        return (Int(columns), Int(rows))
    }

    /// How many columns `scalar` takes: 0 for a mark that combines with what stands before it, 2 for a wide one, nil
    /// for one that cannot be shown (wcwidth(3) under UTF-8).
    package static func width(of scalar: Unicode.Scalar) -> Int? {
        let width = csys_character_width(scalar.value)
        return width < 0 ? nil : Int(width)
    }
}
