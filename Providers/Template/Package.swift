// swift-tools-version: 6.2
import Foundation
import PackageDescription

// Where Keyway lies: the prefix that it is installed in, or its source tree. `make KEYWAY=/elsewhere` says otherwise.
let keyway = Context.environment["KEYWAY"] ?? "__KEYWAY__"
let modules = "\(keyway)/lib/keyway/swift"
let isInstalled = FileManager.default.fileExists(atPath: modules)

// An installed Keyway brings the modules compiled, by the compiler that it was built with.
let installed: (compiler: [SwiftSetting], linker: [LinkerSetting]) = (
    [.unsafeFlags(["-I", modules])],
    [
        .unsafeFlags(["-L\(keyway)/lib/keyway"]), .linkedLibrary("KeywayProvider"),
        .linkedLibrary("swiftSynchronization"), .linkedLibrary("sodium"), .linkedLibrary("crypto"),
    ]
)
let source = Package.Dependency.package(path: keyway)
let sourcePackage = URL(filePath: keyway).lastPathComponent

let package = Package(
    name: "__NAME__",
    dependencies: isInstalled ? [] : [source],
    targets: [
        .executableTarget(
            name: "__NAME__",
            dependencies: isInstalled ? [] : [.product(name: "AuthenticationServices", package: sourcePackage)],
            swiftSettings: isInstalled ? installed.compiler : [],
            linkerSettings: isInstalled ? installed.linker : [])
    ],
    swiftLanguageModes: [.v6]
)
