import KeywayCrypto
import Testing

@testable import ProviderKit

struct SecretLedgerTests {
    private static let secret = "pass\"word/1"

    private func ledger() -> SecretLedger {
        let ledger = SecretLedger()
        ledger.add(SecretBytes(copyingUTF8Of: Self.secret))
        return ledger
    }

    @Test(
        arguments: [
            ("xx pass\"word/1 yy", "as it is"), (#"{"a":"pass\"word\/1"}"#, "as a JSON string"),
            ("cGFzcyJ3b3JkLzE=", "as Base64"), ("00706173732277 6f72642f31", nil),
            ("00706173732 2706173732 2776f72642f31", nil), ("706173732277 706173732277 6f", nil),
            ("ff7061737322776f72642f31", "as hexadecimal digits"), ("pass\"word/", nil), ("", nil), ("p", nil),
        ] as [(String, String?)])
    func isFoundInEveryFormAndInNoOther(text: String, form: String?) {
        #expect(ledger().form(in: Array(text.utf8)) == form)
    }

    @Test func whatIsTooShortIsNotLookedFor() {
        let ledger = SecretLedger()
        ledger.add(SecretBytes(copyingUTF8Of: "abc"))
        #expect(ledger.isEmpty)
        #expect(ledger.form(in: Array("abc".utf8)) == nil)
    }
}
