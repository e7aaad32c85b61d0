import Foundation

/// What a controller is decoded from where there is no storyboard: a coder that holds nothing. Whoever asks for something
/// gets nil, false or zero.
///
/// Not an `NSKeyedUnarchiver` of an empty archive: with the runtime linked in (`-static-stdlib`, as the programs ship),
/// swift-corelibs-foundation writes property lists of no bytes, which it then refuses to read.
final class CoderOfNothing: NSCoder {
    override var allowsKeyedCoding: Bool { true }
    override var requiresSecureCoding: Bool { false }
    override var decodingFailurePolicy: DecodingFailurePolicy { .setErrorAndReturn }

    override func decodeObject() -> Any? { nil }
    override func decodeData() -> Data? { nil }
    override func decodePropertyList() -> Any? { nil }
    override func version(forClassName className: String) -> Int { NSNotFound }

    override func containsValue(forKey key: String) -> Bool { false }
    override func decodeObject(forKey key: String) -> Any? { nil }
    override func decodeObject<DecodedObjectType: NSObject & NSCoding>(
        of cls: DecodedObjectType.Type, forKey key: String
    ) -> DecodedObjectType? { nil }
    override func decodeObject(of classes: [AnyClass]?, forKey key: String) -> Any? { nil }
    override func decodePropertyList(forKey key: String) -> Any? { nil }
    override func decodeBool(forKey key: String) -> Bool { false }
    override func decodeCInt(forKey key: String) -> Int32 { 0 }
    override func decodeInt32(forKey key: String) -> Int32 { 0 }
    override func decodeInt64(forKey key: String) -> Int64 { 0 }
    override func decodeInteger(forKey key: String) -> Int { 0 }
    override func decodeFloat(forKey key: String) -> Float { 0 }
    override func decodeDouble(forKey key: String) -> Double { 0 }
}
