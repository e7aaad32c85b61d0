import Foundation
import Testing

/// What comes back of `value` from an archive, written and read securely, as between processes.
func archived<Value: NSObject & NSSecureCoding>(_ value: Value) throws -> Value {
    let data = try NSKeyedArchiver.archivedData(withRootObject: value, requiringSecureCoding: true)
    return try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: Value.self, from: data))
}

/// A coder that holds something else than any of our values.
func foreignArchive() throws -> NSKeyedUnarchiver {
    let archiver = NSKeyedArchiver(requiringSecureCoding: true)
    archiver.encode("x" as NSString, forKey: "user")
    archiver.encode(NSNumber(value: 1), forKey: "clientDataHash")
    archiver.encode(Data("nonsense".utf8) as NSData, forKey: "assertion")
    archiver.encode(Data("nonsense".utf8) as NSData, forKey: "registration")
    let reader = try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData)
    reader.decodingFailurePolicy = .setErrorAndReturn
    return reader
}

/// All the texts in which a value might show itself.
func descriptions(of value: NSObject) -> [String] {
    var dumped = ""
    dump(value, to: &dumped)
    return [dumped, "\(value)", value.debugDescription, String(reflecting: value), "\([value])"]
}
