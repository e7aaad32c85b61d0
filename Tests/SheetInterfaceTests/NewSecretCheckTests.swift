import KeywayCrypto
import PasswordStrength
import Testing

@testable import SheetInterface

/// Whether a secret that was typed twice is used.
@Suite struct NewSecretCheckTests {
    private func bytes(_ text: String) -> SecretBytes { SecretBytes(copyingUTF8Of: text) }
    private let good = "gigantic-otter-waffle-nebula-42"

    @Test func aStrongOneIsAcceptedAtOnce() {
        var check = NewSecretCheck(.masterPassword)
        #expect(check.submit(bytes(good), bytes(good)) == .accepted)
    }

    @Test func aWeakOneNeedsASecondYes() {
        var check = NewSecretCheck(.masterPassword)
        #expect(check.submit(bytes("password1"), bytes("password1")) == .weak)
        #expect(check.submit(bytes("password1"), bytes("password1")) == .accepted)
    }

    @Test func theSecondYesIsForWhatWasSaid() {
        var check = NewSecretCheck(.masterPassword)
        #expect(check.submit(bytes("password1"), bytes("password1")) == .weak)
        check.changed()
        #expect(check.submit(bytes("password2"), bytes("password2")) == .weak)
    }

    @Test func aWrongRepetitionAndNothingAreRefused() {
        var check = NewSecretCheck(.masterPassword)
        #expect(check.submit(bytes(good), bytes("other")) == .refused(.secretsDiffer))
        #expect(check.submit(bytes(""), bytes("")) == .refused(.noMasterPassword))
    }

    @Test func aPINIsLongEnoughAndNotJudged() {
        var check = NewSecretCheck(.pin)
        #expect(check.submit(bytes("12345"), bytes("12345")) == .refused(.pinTooShort))
        #expect(check.submit(bytes("123456"), bytes("123457")) == .refused(.secretsDiffer))
        #expect(check.submit(bytes("123456"), bytes("123456")) == .accepted)
        #expect(check.strength(of: bytes("123456")) == nil)
    }

    @Test func whatIsProposedIsAsStrongAsItsList() {
        var check = NewSecretCheck(.masterPassword)
        check.proposed = bytes("one two three four")
        #expect(check.strength(of: bytes("one two three four")) == ProposedWords.strength)
        #expect(check.strength(of: bytes("one two three five")) != ProposedWords.strength)
        #expect(check.submit(bytes("one two three four"), bytes("one two three four")) == .accepted)
    }
}
