import CXCB
import Glibc

/// The numbers that an X server has given to the names of which we speak with its clients.
struct XAtoms {
    /// No name at all.
    static let none: xcb_atom_t = 0
    /// A property of whatever type.
    static let anyType: xcb_atom_t = 0
    /// How many questions a client may ask at once.
    static let mostPairs: UInt32 = 64

    let clipboard: xcb_atom_t
    let targets: xcb_atom_t
    let timestamp: xcb_atom_t
    let multiple: xcb_atom_t
    /// The forms of ``OfferedText``, by their names.
    let named: [String: xcb_atom_t]

    /// Asks the server, once for all names; nil when it is gone.
    init?(_ server: OpaquePointer) {
        let forms = OfferedText.names + [OfferedText.mark]
        let cookies = (["CLIPBOARD", "TARGETS", "TIMESTAMP", "MULTIPLE"] + forms).map { name in
            xcb_intern_atom(server, 0, UInt16(name.utf8.count), name)
        }
        let atoms = cookies.compactMap { cookie -> xcb_atom_t? in
            let reply = xcb_intern_atom_reply(server, cookie, nil)
            defer { free(reply) }
            return reply?.pointee.atom
        }
        guard atoms.count == cookies.count else { return nil }
        (clipboard, targets, timestamp, multiple) = (atoms[0], atoms[1], atoms[2], atoms[3])
        named = Dictionary(uniqueKeysWithValues: zip(forms, atoms[4...]))
    }
}
