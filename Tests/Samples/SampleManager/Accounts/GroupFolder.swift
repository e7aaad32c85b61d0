public import AuthenticationServices

/// The folder that app and extension share, as the bundle's Info.plist calls it.
public enum GroupFolder {
    /// Where it lies; nil for a program that is not told.
    public static var url: URL? {
        guard let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"),
            let list = try? Data(
                contentsOf: URL(filePath: program).deletingLastPathComponent().appending(path: "Info.plist")),
            let keys = try? PropertyListSerialization.propertyList(from: list, format: nil) as? [String: Any],
            let group = keys["KeywayGroup"] as? String
        else { return nil }
        return FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: group)
    }
}
