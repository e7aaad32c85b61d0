import CWayland
import CWaylandShims
import Glibc
import KeywayCrypto
import KeywaySystem

/// The clipboard of a Wayland compositor that lets a program without a window copy: by ext-data-control-v1, or by
/// wlr-data-control-unstable-v1, from which that came.
final class WaylandClipboard: ClipboardOwner {
    let connection: CInt
    var pipes: [CInt] { pasting.descriptors }
    private(set) var isOurs = false

    private let display: OpaquePointer
    private let control: cwayland_control
    private let manager: OpaquePointer
    private var device: OpaquePointer?
    private var source: OpaquePointer?
    private var offered = OfferedText.empty
    private var pasting = PastePipes()
    // The library reads them as long as there are objects; they are held here because it keeps their address.
    private let deviceEvents = UnsafeMutablePointer<cwayland_device_events>.allocate(capacity: 1)
    private let sourceEvents = UnsafeMutablePointer<cwayland_source_events>.allocate(capacity: 1)

    /// Connects to the display of the environment.
    ///
    /// - Throws: ``ClipboardError``: `noDisplay`, `notAllowed`, `failed`.
    init() throws(ClipboardError) {
        guard let display = wl_display_connect(nil) else { throw ClipboardError(.noDisplay, "wl_display_connect") }
        guard let globals = WaylandGlobals(display) else {
            wl_display_disconnect(display)
            throw ClipboardError(.notAllowed, "no data control")
        }
        self.display = display
        (control, manager) = (globals.control, globals.manager)
        connection = wl_display_get_fd(display)
        listen()
        device = withUnsafePointer(to: control) {
            cwayland_device($0, manager, globals.seat, deviceEvents, Unmanaged.passUnretained(self).toOpaque())
        }
    }

    deinit {
        wl_display_disconnect(display)
        deviceEvents.deallocate()
        sourceEvents.deallocate()
    }

    func offer(_ text: OfferedText) throws(ClipboardError) {
        let new = withUnsafePointer(to: control) {
            cwayland_source($0, manager, sourceEvents, Unmanaged.passUnretained(self).toOpaque())
        }
        guard let device, let new else { throw ClipboardError(.failed, "data source") }
        for type in text.types { cwayland_source_add(new, type) }
        cwayland_device_set(device, new)
        if let source { cwayland_source_destroy(source) }
        (source, offered, isOurs) = (new, text, true)
        guard wl_display_roundtrip(display) >= 0, isOurs else {
            throw ClipboardError(.failed, "the compositor did not take it")
        }
    }

    func work() throws(ClipboardError) {
        pasting.work()
        // Reads what has come, and nothing more.
        while wl_display_prepare_read(display) != 0 { wl_display_dispatch_pending(display) }
        wl_display_flush(display)
        var waited = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
        if poll(&waited, 1, 0) > 0 {
            _ = wl_display_read_events(display)
        } else {
            wl_display_cancel_read(display)
        }
        guard wl_display_dispatch_pending(display) >= 0, wl_display_get_error(display) == 0 else {
            throw ClipboardError(.failed, "the compositor is gone")
        }
    }

    // MARK: What the compositor says

    private func listen() {
        deviceEvents.initialize(
            to: cwayland_device_events(
                data_offer: { _, _, _ in },
                selection: { _, _, offer in if let offer { cwayland_offer_destroy(offer) } },
                finished: { data, _ in WaylandClipboard.at(data)?.isOurs = false },
                primary_selection: { _, _, offer in if let offer { cwayland_offer_destroy(offer) } }))
        sourceEvents.initialize(
            to: cwayland_source_events(
                send: { data, source, type, descriptor in
                    let pipe = OwnedDescriptor(descriptor)
                    WaylandClipboard.at(data)?.paste(source, String(cString: type), pipe)
                },
                cancelled: { data, source in WaylandClipboard.at(data)?.lose(source) }))
    }

    private static func at(_ data: UnsafeMutableRawPointer?) -> WaylandClipboard? {
        data.map { Unmanaged<WaylandClipboard>.fromOpaque($0).takeUnretainedValue() }
    }

    private func paste(_ asked: OpaquePointer, _ type: String, _ pipe: OwnedDescriptor) {
        guard asked == source, let text = offered.content(type) else { return }
        pasting.write(text, to: pipe)
    }

    private func lose(_ lost: OpaquePointer) {
        guard lost == source else { return }
        cwayland_source_destroy(lost)
        (source, isOurs) = (nil, false)
    }
}
