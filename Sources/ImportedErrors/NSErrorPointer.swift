public import Foundation

/// Where a method leaves an error: `&error` of a variable `error: NSError?`. Foundation has it on Apple's systems only.
public typealias NSErrorPointer = UnsafeMutablePointer<NSError?>?
