import Testing

@testable import AutoFillBroker

/// How many connections there is room for, and for whose.
@Suite struct ConnectionRoomTests {
    private final class Token {}
    private var room = ConnectionRoom(descriptorLimit: 65536)
    private var tokens: [Token] = []

    /// Opens `count` connections; how many were let in.
    private mutating func open(_ count: Int, _ owner: (Int) -> ConnectionRoom.Owner) -> Int {
        (0..<count).count { number in
            let token = Token()
            tokens.append(token)
            return room.admit(ObjectIdentifier(token), of: owner(number))
        }
    }

    @Test mutating func oneStrangerOpensFew() {
        #expect(open(1000) { _ in .stranger("/tmp/flood") } == ConnectionRoom.mostOfStranger)
        #expect(open(1000) { _ in .stranger(nil) } == ConnectionRoom.mostOfStranger)
        #expect(open(1) { _ in .stranger("/usr/bin/other") } == 1)
        #expect(open(1000) { _ in .approved } == 1000)
    }

    @Test mutating func someStayReservedHoweverManyOthersConnect() {
        let others = ConnectionRoom.most - ConnectionRoom.reserved
        #expect(open(5000) { .stranger("/tmp/flood\($0)") } == others)
        #expect(open(10) { _ in .approved } == 0)
        #expect(open(1000) { _ in .own } == ConnectionRoom.reserved)
    }

    @Test mutating func whatOwnProgramsHaveTakesNothingFromOthers() {
        #expect(open(500) { _ in .own } == 500)
        let others = ConnectionRoom.most - ConnectionRoom.reserved
        #expect(open(5000) { .stranger("/tmp/flood\($0)") } == min(others, ConnectionRoom.most - 500))
    }

    @Test mutating func whatEndsOrIsApprovedMakesRoom() {
        let owner = ConnectionRoom.Owner.stranger("/tmp/flood")
        #expect(open(100) { _ in owner } == ConnectionRoom.mostOfStranger)
        room.leave(ObjectIdentifier(tokens[0]))
        #expect(open(2) { _ in owner } == 1)
        room.approve(ObjectIdentifier(tokens[1]), as: .approved)
        #expect(open(2) { _ in owner } == 1)
        // What was never let in leaves nothing.
        room.leave(ObjectIdentifier(tokens[99]))
        #expect(open(1) { _ in owner } == 0)
    }

    @Test mutating func fewDescriptorsLeaveRoomForOwnProgramsToo() {
        room = ConnectionRoom(descriptorLimit: 1024)
        let others = open(5000) { .stranger("/tmp/flood\($0)") }
        #expect(others == 144 && open(5000) { _ in .own } == 48)
    }
}
