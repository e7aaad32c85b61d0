@testable import CodeLinks
@testable import KeywayCrypto
@testable import OneTimeCodes

/// A link or a secret for one-time codes is read or refused; what is read makes codes, and is written as a link that is
/// read as the same.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneTimeCodes(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let text = SecretBytes(copying: UnsafeRawBufferPointer(start: start, count: count))
    guard let setups = try? CodeSetup.read(text) else { return 0 }
    precondition((1...MigrationLink.mostAccounts).contains(setups.count), "how many")
    for setup in setups.prefix(8) {
        precondition((try? setup.recipe.code(at: 59))?.count == setup.recipe.digits, "as long as it says")
        guard let again = try? CodeLink.setup(in: setup.link) else { preconditionFailure("no link") }
        precondition(again.recipe == setup.recipe, "other codes")
        precondition((try? CodeLink.setup(in: again.link)) == again, "another link")
    }
    return 0
}
