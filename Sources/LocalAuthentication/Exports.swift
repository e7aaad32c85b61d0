// What `import LocalAuthentication` brings along: Foundation, as on Apple's systems, and how errors are imported.
@_exported public import Foundation
@_exported public import ImportedErrors
