/// The ASCII form of one label of a host name (RFC 3492).
enum Punycode {
    private static let base = 36
    private static let minimum = 1
    private static let maximum = 26

    /// The label with `xn--` before it.
    ///
    /// - Returns: nil when it overflows; no label of 63 characters does.
    static func encode(_ label: String) -> String? {
        let scalars = label.unicodeScalars.map { Int($0.value) }
        var output = scalars.filter { $0 < 0x80 }.map { UInt8($0) }
        let basic = output.count
        if basic > 0 { output.append(UInt8(ascii: "-")) }
        var (code, delta, bias, handled) = (0x80, 0, 72, basic)
        while handled < scalars.count {
            guard let next = scalars.filter({ $0 >= code }).min() else { return nil }
            let (step, overflow) = (next - code).multipliedReportingOverflow(by: handled + 1)
            guard !overflow, delta <= Int(Int32.max) - step else { return nil }
            delta += step
            code = next
            for scalar in scalars {
                if scalar < code { delta += 1 }
                guard scalar == code else { continue }
                output += digits(of: delta, bias)
                bias = adapted(delta, handled + 1, isFirst: handled == basic)
                delta = 0
                handled += 1
            }
            delta += 1
            code += 1
        }
        return "xn--" + String(decoding: output, as: UTF8.self)
    }

    private static func digits(of delta: Int, _ bias: Int) -> [UInt8] {
        var result: [UInt8] = []
        var rest = delta
        var position = base
        while true {
            let threshold = min(max(position - bias, minimum), maximum)
            if rest < threshold { break }
            result.append(digit(threshold + (rest - threshold) % (base - threshold)))
            rest = (rest - threshold) / (base - threshold)
            position += base
        }
        return result + [digit(rest)]
    }

    private static func digit(_ value: Int) -> UInt8 {
        value < 26 ? UInt8(ascii: "a") + UInt8(value) : UInt8(ascii: "0") + UInt8(value - 26)
    }

    private static func adapted(_ delta: Int, _ count: Int, isFirst: Bool) -> Int {
        var rest = isFirst ? delta / 700 : delta / 2
        rest += rest / count
        var result = 0
        while rest > ((base - minimum) * maximum) / 2 {
            rest /= base - minimum
            result += base
        }
        return result + (base - minimum + 1) * rest / (rest + 38)
    }
}
