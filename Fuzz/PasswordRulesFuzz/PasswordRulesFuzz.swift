import KeywayCrypto

@testable import PasswordRules

/// Whatever a page states: there are rules, and a password that keeps them or a refusal.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzPasswordRules(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let text = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    let rules = PasswordRules(parsing: text)
    precondition(rules.alphabet.isSubset(of: .printable), "what nobody types")
    guard let password = try? PasswordGenerator(rules).generate() else { return 0 }
    precondition(password.withUnsafeBytes { rules.isKept(by: $0) }, "the rules are not kept")
    return 0
}
