import AuthenticationServices
import AutoFillProtocol
import CryptoKit
import Testing

/// The shapes of screens and of CryptoKit beside this file, at work.
@MainActor
@Suite("Screens and keys from Apple's systems", .timeLimit(.minutes(2)))
struct ScreenTests {
    @Test func layoutIsToldOnceWhenAControllerAppears() async throws {
        let provider = ScreenProvider()
        let answer = try await BrokerEnd { provider }.perform(
            .list([], passkeys: nil), then: [("Screen", .activated(action: "ok"))])
        #expect(try answer.summary == "password will did x")
    }

    @Test func viewsFormATree() throws {
        let provider = ScreenProvider()
        #expect(provider.viewIfLoaded == nil && !provider.isViewLoaded)
        let view = try #require(provider.view)
        #expect(provider.isViewLoaded && view.frame.width == 420 && view.subviews.count == 2)
        let window = UIWindow(frame: .zero)
        window.addSubview(view)
        let field = try #require(view.subviews.last as? UITextField)
        #expect(field.window === window && field.isDescendant(of: window) && field.superview === view)
        #expect(field.next === view && view.next === provider && provider.next === window)
        provider.showAlone()
        #expect(view.subviews == [field] && provider.children.isEmpty)
        field.removeFromSuperview()
        #expect(view.subviews.isEmpty && field.superview == nil && field.window == nil)
    }

    @Test func aViewArrangesItselfWhenAsked() {
        let stack = StackOfFields(frame: .zero)
        stack.layoutIfNeeded()
        stack.layoutIfNeeded()
        #expect(stack.arranged == 1)
    }

    @Test func focusComesAndGoes() {
        let field = UITextField()
        #expect(!field.isFirstResponder && field.becomeFirstResponder() && field.isEditing)
        #expect(field.resignFirstResponder() && !field.isFirstResponder)
        field.isEnabled = false
        #expect(!field.becomeFirstResponder())
        let view = UIView()
        #expect(!view.becomeFirstResponder())
        let other = UITextField()
        view.addSubview(other)
        other.becomeFirstResponder()
        #expect(view.endEditing(false) && !other.isFirstResponder)
        let provider = ScreenProvider()
        provider.setEditing(true, animated: false)
        #expect(provider.isFirstResponder && provider.isEditing)
        #expect(provider.keyCommands?.first?.input == "UIKeyInputEscape")
    }

    @Test func aControllerIsMadeByItsCoderOrByAClosure() async throws {
        let made = try #require(InjectedProvider.decoded())
        #expect(type(of: made) == InjectedProvider.self)
        let request = PerformRequest.Request.provideWithoutInteraction(
            .init(
                identity: CredentialIdentity(
                    kind: .password, service: .init("example.org", kind: .domain), user: "ada", recordIdentifier: "7"),
                assertion: nil))
        for provider in [made, InjectedProvider(vault: .shared)] {
            let answer = try await BrokerEnd { provider }.perform(request)
            #expect(try answer.summary == "password ada correct horse")
        }
    }

    @Test func anAuthorizationGoesToAnotherActor() async throws {
        let password = ASPasswordCredential(user: "ada", password: "x")
        let authorization = ASAuthorization(provider: ASAuthorizationPasswordProvider(), credential: password)
        var user: String?
        await AuthorizationRelay { user = ($0.credential as? ASPasswordCredential)?.user }.relay(authorization).value
        #expect(user == "ada")
    }

    // MARK: CryptoKit

    /// RFC 6238, appendix B.
    @Test(arguments: [
        (59, CryptoShapes.Algorithm.sha1, "94287082"), (1_111_111_109, .sha1, "07081804"), (59, .sha256, "46119246"),
        (59, .sha512, "90693936"), (20_000_000_000, .sha512, "47863826"),
    ])
    func oneTimeCodes(time: UInt64, algorithm: CryptoShapes.Algorithm, code: String) {
        let counts: [CryptoShapes.Algorithm: Int] = [.sha1: 20, .sha256: 32, .sha512: 64]
        let secret = Data(String(repeating: "1234567890", count: 7).utf8.prefix(counts[algorithm] ?? 0))
        #expect(
            CryptoShapes.oneTimeCode(secret: secret, counter: time / 30, digits: 8, algorithm: algorithm) == code)
    }

    @Test func passkeysAreSignedAndJudged() throws {
        let (stored, x, y) = try CryptoShapes.newPasskey()
        let pem = try P256.Signing.PrivateKey(rawRepresentation: stored).pemRepresentation
        let signature = try CryptoShapes.sign(Data([1]), clientDataHash: Data([2]), pem: pem)
        #expect(CryptoShapes.isGenuine(signature, of: Data([1, 2]), x: x, y: y))
        #expect(!CryptoShapes.isGenuine(signature, of: Data([2, 1]), x: x, y: y))
    }

    @Test func itemsAreSealedAndShared() throws {
        let key = SymmetricKey(size: .bits256)
        let id = UUID()
        let sealed = try CryptoShapes.seal(Data("secret".utf8), vaultKey: key, id: id)
        #expect(CryptoShapes.open(sealed, vaultKey: key, id: id) == .success(Data("secret".utf8)))
        #expect(CryptoShapes.open(sealed, vaultKey: key, id: UUID()) == .failure(.authenticationFailure))
        #expect(CryptoShapes.open(Data(), vaultKey: key, id: id) == .failure(.incorrectParameterSize))
        #expect(try CryptoShapes.wrap(key, under: .init(size: .bits128)) == key)
        let (sent, received) = try CryptoShapes.shareKeys()
        #expect(sent == received)
        let box = try ChaChaPoly.seal(Data("stream".utf8), using: key)
        #expect(
            try CryptoShapes.openStream(
                ArraySlice(box.ciphertext), key: key.withUnsafeBytes { Data($0) }, nonce: Array(box.nonce), tag: box.tag
            )
                == Data("stream".utf8))
    }

    @Test func thingsAreNamed() {
        #expect(CryptoShapes.fingerprint(Data("abc".utf8)) == "ba7816bf8f01cfea")
        #expect(CryptoShapes.gravatar("") == "d41d8cd98f00b204e9800998ecf8427e")
        #expect(
            CryptoShapes.checksum(of: [Data("a".utf8), Data("bc".utf8)], using: SHA384.self)
                == SHA384.hash(data: Data("abc".utf8)))
    }
}
