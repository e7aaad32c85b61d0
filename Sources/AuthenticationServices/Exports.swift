// What `import AuthenticationServices` brings along: Foundation, as on Apple's systems, the values that describe an
// interface, and how errors are imported. Of `AutoFillProtocol` a provider sees only what is `public` there.
@_exported public import AutoFillProtocol
@_exported public import Foundation
@_exported public import ImportedErrors
