import CAdwaita

/// An object of the toolkit, and one reference to it: it lives at least as long as this.
///
/// Closures of an object's own signals must hold it weakly: the object holds them.
@MainActor
package class Object {
    /// The object, as C passes it around.
    let raw: UnsafeMutableRawPointer

    /// The type that an object must be of to be wrapped by this class.
    class var type: GType { g_object_get_type() }

    /// Takes an object that C just made: a floating reference becomes ours.
    init(made raw: UnsafeMutableRawPointer) {
        self.raw = raw
        g_object_ref_sink(raw)
    }

    /// Takes an object that somebody else holds; nil when it is none, or of another type.
    required init?(checking pointer: UnsafeMutableRawPointer?) {
        guard let pointer,
            g_type_check_instance_is_a(pointer.assumingMemoryBound(to: GTypeInstance.self), Self.type) != 0
        else { return nil }
        raw = pointer
        g_object_ref(pointer)
    }

    isolated deinit {
        g_object_unref(raw)
    }

    /// The object as C's functions for its type want it.
    func pointer<Kind>(_: Kind.Type = Kind.self) -> UnsafeMutablePointer<Kind> {
        raw.assumingMemoryBound(to: Kind.self)
    }

    /// The object as C's functions want it whose type is hidden from Swift.
    var opaque: OpaquePointer { OpaquePointer(raw) }

    /// Whether both are the same object of the toolkit.
    package func isSame(as other: Object?) -> Bool { raw == other?.raw }

    /// Sets a property that is a string.
    func setText(_ property: String, _ text: String) {
        var value = GValue()
        g_value_init(&value, g_type_from_name("gchararray"))
        g_value_set_string(&value, text)
        g_object_set_property(pointer(), property, &value)
        g_value_unset(&value)
    }

    /// The name of the object's type, such as `GtkButton`.
    package var typeName: String {
        String(cString: g_type_name_from_instance(raw.assumingMemoryBound(to: GTypeInstance.self)))
    }
}
