import AutoFillWire
import KeywaySystem

/// A document of CXF with these items.
func document(_ items: [String]) throws -> Attachment {
    try file(
        """
        {"version": {"major": 1, "minor": 0}, "exporterRpId": "keyway.org", "exporterDisplayName": "Keyway",
         "timestamp": 1795000000, "accounts": [{"id": "AA", "username": "", "email": "", "collections": [],
         "items": [\(items.joined(separator: ",\n"))]}]}
        """)
}

/// A document of that text.
func file(_ text: String) throws -> Attachment {
    let bytes = Array(text.utf8)
    let document = try SealedDocument { (write) throws(ProtocolError) in
        var outcome = Result<Void, ProtocolError>.success(())
        bytes.withUnsafeBytes { bytes in outcome = Result { () throws(ProtocolError) in try write(bytes) } }
        try outcome.get()
    }
    return Attachment(document.descriptor)
}

/// An item with a password.
func login(
    _ title: String, _ user: String, _ password: String, at url: String = "https://example.com", more: String = "",
    notes: String? = nil
) -> String {
    let note = notes.map { #", {"type": "note", "content": {"fieldType": "string", "value": "\#($0)"}}"# } ?? ""
    return """
        {"id": "\(title)", "creationAt": 1600000000, "modifiedAt": 1700000000, "title": "\(title)",
         "scope": {"urls": ["\(url)"], "androidApps": []}, "credentials": [{"type": "basic-auth",
         "username": {"fieldType": "string", "value": "\(user)"},
         "password": {"fieldType": "concealed-string", "value": "\(password)"}}\(note)\(more)]}
        """
}
