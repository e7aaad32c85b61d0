/// One key as a person pressed it, whatever bytes the terminal sent for it.
package enum Key: Hashable, Sendable {
    /// A character, or one scalar of it; also what was pasted.
    case text(Unicode.Scalar)
    /// A letter with the Control key: lower case.
    case control(Unicode.Scalar)
    case enter, tab, backTab, escape
    case backspace, delete
    case up, down, left, right
    case home, end, pageUp, pageDown
}
