import Testing

@testable import PasswordStore

@Suite("What an entry holds")
struct EntryContentsTests {
    private func contents(_ text: String) -> EntryContents { EntryContents(SecretBuffer(text.utf8)) }

    @Test(
        "the first line is the password, whatever is in it",
        arguments: [
            ("secret\n", "secret"), ("secret", "secret"), ("  two words \nuser: ada\n", "  two words "),
            ("user: not a user\n", "user: not a user"), ("carriage\r\nx", "carriage\r"), ("naïve 日本\n", "naïve 日本"),
            ("a\0b\n", "a\0b"),
        ])
    func password(text: String, password: String) throws {
        #expect(try contents(text).password() == password)
    }

    @Test(
        "an entry without one has none",
        arguments: ["", "\n", "\nuser: ada\n", "otpauth://totp/x?secret=GEZDGNBV\n"])
    func noPassword(text: String) {
        #expect(throws: StoreError.noPassword) { try contents(text).password() }
    }

    @Test("bytes that are no text are no password, and survive beside one")
    func bytes() throws {
        let bytes: [UInt8] = [0xFF, 0xFE, 0x0A] + Array("user: ada\n".utf8)
        let contents = EntryContents(SecretBuffer(bytes))
        #expect(throws: StoreError.noPassword) { try contents.password() }
        #expect(contents.user == "ada")
        let changed = contents.replacingPassword(SecretBuffer("new".utf8))
        #expect(changed.withBytes { Array($0) } == Array("new\nuser: ada\n".utf8))
    }

    @Test(
        "lines have keys",
        arguments: [
            ("pw\nuser: ada\n", "ada"), ("pw\nLogin:ada", "ada"),
            ("pw\n\n  username :  ada lovelace \r\n", "ada lovelace"),
            ("pw\nnote\nuser: a\nlogin: b\n", "a"),
        ])
    func user(text: String, user: String) {
        #expect(contents(text).user == user)
    }

    @Test("links are no keys")
    func links() {
        let read = contents("pw\nhttps://example.com\nurl: https://example.com/x\nurl: b.example\nurl: nothing\n")
        #expect(read.fields.map(\.key) == ["url", "url", "url"])
        #expect(read.services.map(\.identifier.identifier) == ["https://example.com", "b.example"])
    }

    @Test(
        "a link for codes may stand in any line, and its first word counts",
        arguments: [
            "otpauth://totp/x?secret=GE", "pw\nuser: ada\n otpauth://totp/x?secret=GE and more\n",
            "pw\notpauth://totp/x?secret=GE\notpauth://totp/y?secret=GI\n",
        ])
    func link(text: String) {
        let read = contents(text)
        #expect(read.link.flatMap { read.bytes.text($0) } == "otpauth://totp/x?secret=GE")
    }

    @Test("every sequence of bytes is an entry")
    func anything() {
        var random = SystemRandomNumberGenerator()
        let alphabet = Array("\n\r\t :/aotpauth://?&=\u{FF}\0".utf8)
        for _ in 0..<3000 {
            let bytes = (0..<Int.random(in: 0...60)).compactMap { _ in alphabet.randomElement(using: &random) }
            let read = EntryContents(SecretBuffer(bytes))
            _ = (try? read.password(), read.user, read.services, read.fields)
            if let link = read.link { _ = try? CodeLink(read.bytes, at: link) }
        }
    }

    @Test("a buffer shows nothing of what it holds")
    func silent() {
        #expect("\(SecretBuffer("secret".utf8))" == "SecretBuffer")
        #expect(!String(reflecting: contents("secret\n")).contains("secret"))
    }
}
