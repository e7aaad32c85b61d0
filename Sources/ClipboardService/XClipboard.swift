import CXCB
import Glibc
import KeywayCrypto

/// The selection `CLIPBOARD` of an X server, as the conventions between its clients (ICCCM, section 2) want it owned.
final class XClipboard: ClipboardOwner {
    let connection: CInt
    let pipes: [CInt] = []
    private(set) var isOurs = false

    private let server: OpaquePointer
    private let window: xcb_window_t
    private let atoms: XAtoms
    private var offered = OfferedText.empty
    /// Since when it is ours, by the clock of the server.
    private var since: xcb_timestamp_t = 0
    /// The time that the server told last on a change of our window.
    private var serverTime: xcb_timestamp_t?

    /// Connects to the display of the environment.
    ///
    /// - Throws: ``ClipboardError``: `noDisplay`, `failed`.
    init() throws(ClipboardError) {
        var screen: CInt = 0
        guard let server = xcb_connect(nil, &screen) else { throw ClipboardError(.noDisplay, "xcb_connect") }
        let error = xcb_connection_has_error(server)
        var roots = xcb_setup_roots_iterator(error == 0 ? xcb_get_setup(server) : nil)
        while error == 0 && screen > 0 && roots.rem > 1 {
            xcb_screen_next(&roots)
            screen -= 1
        }
        guard error == 0, roots.rem > 0, let root = roots.data?.pointee.root, let atoms = XAtoms(server) else {
            xcb_disconnect(server)
            throw ClipboardError(.noDisplay, "X server: \(error)")
        }
        self.server = server
        self.atoms = atoms
        connection = xcb_get_file_descriptor(server)
        window = xcb_generate_id(server)
        let events = [XCB_EVENT_MASK_PROPERTY_CHANGE.rawValue]
        _ = xcb_create_window(
            server, 0, window, root, 0, 0, 1, 1, 0, UInt16(XCB_WINDOW_CLASS_INPUT_ONLY.rawValue), 0,
            XCB_CW_EVENT_MASK.rawValue, events)
    }

    deinit { xcb_disconnect(server) }

    func offer(_ text: OfferedText) throws(ClipboardError) {
        // A property is written by one request, which begins with 24 bytes of its own.
        let limit = Int(xcb_get_maximum_request_length(server)) * 4 - 64
        guard text.count <= limit else { throw ClipboardError(.tooLong, "\(text.count) bytes") }
        let wasOurs = isOurs
        let time = try askTime()
        // Something else was copied meanwhile, and stays.
        guard !wasOurs || isOurs else { return }
        _ = xcb_set_selection_owner(server, window, atoms.clipboard, time)
        let reply = xcb_get_selection_owner_reply(server, xcb_get_selection_owner(server, atoms.clipboard), nil)
        defer { free(reply) }
        guard reply?.pointee.owner == window else { throw ClipboardError(.failed, "the selection has another owner") }
        (offered, since, isOurs) = (text, time, true)
    }

    func work() throws(ClipboardError) {
        while let event = xcb_poll_for_event(server) {
            take(event)
            free(event)
        }
        guard xcb_flush(server) > 0, xcb_connection_has_error(server) == 0 else {
            throw ClipboardError(.failed, "the X server is gone")
        }
    }

    /// The server's time: it tells that with every change of a property.
    private func askTime() throws(ClipboardError) -> xcb_timestamp_t {
        serverTime = nil
        _ = xcb_change_property(
            server, UInt8(XCB_PROP_MODE_APPEND.rawValue), window, XCB_ATOM_WM_NAME.rawValue, XCB_ATOM_STRING.rawValue,
            8, 0, nil)
        xcb_flush(server)
        while true {
            if let serverTime { return serverTime }
            guard let event = xcb_wait_for_event(server) else { throw ClipboardError(.failed, "the X server is gone") }
            take(event)
            free(event)
        }
    }

    private func take(_ event: UnsafeMutablePointer<xcb_generic_event_t>) {
        let raw = UnsafeRawPointer(event)
        // The highest bit says that another client sent it. Errors are number 0: whoever asked is gone, for example.
        switch CInt(event.pointee.response_type & 0x7F) {
        case XCB_PROPERTY_NOTIFY:
            let change = raw.load(as: xcb_property_notify_event_t.self)
            if change.window == window { serverTime = change.time }
        case XCB_SELECTION_CLEAR:
            let cleared = raw.load(as: xcb_selection_clear_event_t.self)
            if cleared.owner == window && cleared.selection == atoms.clipboard { isOurs = false }
        case XCB_SELECTION_REQUEST:
            answer(raw.load(as: xcb_selection_request_event_t.self))
        default: break
        }
    }

    // MARK: Who pastes

    private func answer(_ request: xcb_selection_request_event_t) {
        // Old clients name no property.
        let property = request.property == XAtoms.none ? request.target : request.property
        let isAnswered =
            isOurs && request.owner == window && request.selection == atoms.clipboard && covers(request.time)
            && (request.target == atoms.multiple
                ? request.property != XAtoms.none && convertSeveral(request.requestor, property)
                : convert(request.target, request.requestor, property))
        var notice = xcb_selection_notify_event_t()
        notice.response_type = UInt8(XCB_SELECTION_NOTIFY)
        notice.time = request.time
        notice.requestor = request.requestor
        notice.selection = request.selection
        notice.target = request.target
        notice.property = isAnswered ? property : XAtoms.none
        // Every event takes 32 bytes, and so the library reads as many.
        withUnsafeTemporaryAllocation(byteCount: 32, alignment: 8) { room in
            room.initializeMemory(as: UInt8.self, repeating: 0)
            withUnsafeBytes(of: &notice) { room.copyMemory(from: $0) }
            _ = xcb_send_event(
                server, 0, request.requestor, 0, room.baseAddress?.assumingMemoryBound(to: CChar.self))
        }
    }

    /// Whether the selection was ours at `time`; 0 is now. The server's clock starts over every 49 days.
    private func covers(_ time: xcb_timestamp_t) -> Bool {
        time == 0 || Int32(bitPattern: time &- since) >= 0
    }

    /// Answers one question by writing the property.
    private func convert(_ target: xcb_atom_t, _ requestor: xcb_window_t, _ property: xcb_atom_t) -> Bool {
        switch target {
        case atoms.targets:
            let types = offered.types.compactMap { atoms.named[$0] }
            let old = offered.latin1 == nil ? [] : [XCB_ATOM_STRING.rawValue]
            write([atoms.targets, atoms.timestamp, atoms.multiple] + types + old, XCB_ATOM_ATOM.rawValue)
        case atoms.timestamp:
            write([since], XCB_ATOM_INTEGER.rawValue)
        case XCB_ATOM_STRING.rawValue:
            guard let text = offered.latin1 else { return false }
            write(text)
        default:
            guard let name = atoms.named.first(where: { $0.value == target })?.key,
                let text = offered.content(name)
            else { return false }
            write(text)
        }
        return true

        func write(_ numbers: [UInt32], _ type: xcb_atom_t) {
            _ = xcb_change_property(
                server, UInt8(XCB_PROP_MODE_REPLACE.rawValue), requestor, property, type, 32, UInt32(numbers.count),
                numbers)
        }

        func write(_ text: SecretBytes) {
            text.withUnsafeBytes { bytes in
                _ = xcb_change_property(
                    server, UInt8(XCB_PROP_MODE_REPLACE.rawValue), requestor, property, target, 8,
                    UInt32(bytes.count), bytes.baseAddress)
            }
        }
    }

    /// Answers several questions: `property` lists what is asked for and where to write that, in pairs.
    private func convertSeveral(_ requestor: xcb_window_t, _ property: xcb_atom_t) -> Bool {
        let reply = xcb_get_property_reply(
            server, xcb_get_property(server, 0, requestor, property, XAtoms.anyType, 0, 2 * XAtoms.mostPairs), nil)
        defer { free(reply) }
        guard let reply, reply.pointee.format == 32, let start = xcb_get_property_value(reply) else { return false }
        let count = Int(xcb_get_property_value_length(reply)) / MemoryLayout<xcb_atom_t>.stride
        guard count > 0, count.isMultiple(of: 2), reply.pointee.bytes_after == 0 else { return false }
        var pairs = (0..<count).map { start.load(fromByteOffset: $0 * 4, as: xcb_atom_t.self) }
        for index in stride(from: 0, to: count, by: 2) {
            let (target, place) = (pairs[index], pairs[index + 1])
            // Not answered, says a pair without a place.
            let isAnswered = target != atoms.multiple && place != XAtoms.none && convert(target, requestor, place)
            if !isAnswered { pairs[index + 1] = XAtoms.none }
        }
        _ = xcb_change_property(
            server, UInt8(XCB_PROP_MODE_REPLACE.rawValue), requestor, property, reply.pointee.type, 32, UInt32(count),
            pairs)
        return true
    }
}
