import AuthenticationServices

/// The whole program of a service: it answers each line with whether it is spoken to by its own extension.
func serve() async throws {
    let listener = try KeywayServiceListener()
    listener.report(.ready)
    for await connection in listener {
        let file = FileHandle(fileDescriptor: connection.fileDescriptor)
        guard try file.read(upToCount: 1024) != nil else { continue }
        let isExtension = connection.client == .providerExtension
        try file.write(contentsOf: Data((isExtension ? "welcome\n" : "who are you?\n").utf8))
    }
}
