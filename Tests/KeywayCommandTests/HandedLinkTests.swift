import Glibc
import KeywayCrypto
import Testing

@testable import KeywayCommand

/// A link among the arguments of a process, where everybody on the machine can read it.
@Suite struct HandedLinkTests {
    /// What is taken from these arguments, and what is left of them.
    private static func take(_ words: [String]) -> (link: String?, left: [String]) {
        let arguments = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: words.count)
        for (index, word) in words.enumerated() { arguments[index] = strdup(word) }
        defer {
            for index in words.indices { free(arguments[index]) }
            arguments.deallocate()
        }
        let link = HandedLink.take(from: arguments, count: words.count)
        let left = words.indices.map { arguments[$0].map { String(cString: $0) } ?? "" }
        return (link?.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }, left)
    }

    @Test(arguments: ["otpauth://totp/x?secret=GEZDGNBV", "OTPAuth:x", "otpauth-migration://offline?data=CgcK"])
    func aLinkIsTakenFromTheArguments(link: String) {
        let (taken, left) = Self.take(["keyway", "code", "--add", "--", link, link])
        #expect(taken == link)
        #expect(left.dropLast(2) == ["keyway", "code", "--add", "--"])
        for word in left.suffix(2) {
            #expect(word.utf8.count == link.utf8.count && word.hasSuffix(":" + word.drop { $0 != "*" }))
            #expect(!word.contains("secret") && !word.contains("CgcK"))
        }
    }

    @Test(arguments: ["otpauth", "https://otpauth:x", "--otpauth:x", ""]) func whatIsNoLinkStays(word: String) {
        let (taken, left) = Self.take(["keyway", word])
        #expect(taken == nil && left == ["keyway", word])
    }
}
