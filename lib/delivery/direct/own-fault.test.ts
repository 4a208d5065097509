import { connect } from "node:net"
import { expect, test } from "vitest"
import { createOwnFaults, networkPrefix } from "@/lib/delivery/direct/own-fault"
import type { DeliveryAttempt } from "@/lib/delivery/transports/attempt"

const timeout = "no connection within 10 s"
const minutes = (count: number) => count * 60_000

/** Attempts at servers of networks and destinations of these numbers, on a clock that only the test moves. */
function watch() {
  const clock = { nowMs: 0 }
  const faults = createOwnFaults(() => clock.nowMs)
  const meets = (at: number, fields: Partial<DeliveryAttempt> = {}, destination = `destination ${at}`) =>
    faults.of(attempt({ phase: "connect", text: timeout, ...fields }), {
      address: `192.${at}.0.1`,
      port: 25,
      destination,
    })
  return { clock, faults, meets }
}

function attempt(fields: Partial<DeliveryAttempt>): DeliveryAttempt {
  const at = new Date(0)
  return { outcome: "deferred", text: "", remote: "", conversation: [], startedAt: at, endedAt: at, ...fields }
}

test("port 25 is blocked once five destinations in five networks time out within two minutes", () => {
  const { meets } = watch()
  for (const at of [1, 2, 3, 4, 4, 3]) expect(meets(at)).toBeNull()
  expect(meets(5)).toMatchObject({
    code: "port_blocked",
    facts: { port: 25, servers: expect.arrayContaining(["192.5.0.1"]) },
  })
  expect(meets(1)).toMatchObject({ code: "port_blocked" })
})

test("the servers of one destination, or of one network, are no proof of it", () => {
  const { meets, faults } = watch()
  for (const at of [1, 2, 3, 4, 5, 6, 7]) expect(meets(at, {}, "one destination")).toBeNull()
  const one = { address: "198.51.0.1", port: 25 }
  for (const at of [1, 2, 3, 4, 5, 6, 7])
    expect(faults.of(attempt({ phase: "connect", text: timeout }), { ...one, destination: `other ${at}` })).toBeNull()
})

test("time-outs of more than two minutes ago are none", () => {
  const { meets, clock } = watch()
  for (const at of [1, 2, 3, 4]) meets(at)
  clock.nowMs += minutes(2)
  expect(meets(5)).toBeNull()
})

test("a port at which a server was reached in the last ten minutes is open", () => {
  const { meets, clock } = watch()
  meets(9, { phase: "greeting", text: "421 4.3.2 closing" })
  clock.nowMs += minutes(9)
  for (const at of [1, 2, 3, 4, 5]) expect(meets(at)).toBeNull()
  clock.nowMs += minutes(1)
  expect(meets(6)).toMatchObject({ code: "port_blocked" })
})

test("a single connection ends it, and servers that refuse one prove nothing", () => {
  const { meets, clock } = watch()
  for (const at of [1, 2, 3, 4]) meets(at)
  expect(meets(5, { text: "connect ECONNREFUSED 192.5.0.1:25" })).toBeNull()
  expect(meets(6)).toMatchObject({ code: "port_blocked" })
  clock.nowMs += minutes(30)
  expect(meets(7)).toMatchObject({ code: "port_blocked" })
  expect(meets(8, { outcome: "accepted", phase: "final", text: "ok" })).toBeNull()
  clock.nowMs += minutes(30)
  expect(meets(1)).toBeNull()
})

test("an address that this machine lacks is named, in the words of the operating system", async () => {
  const { meets, faults } = watch()
  const socket = connect({ host: "192.0.2.1", port: 25, localAddress: "192.0.2.77" })
  const text = await new Promise<string>((resolve) => socket.on("error", (error) => resolve(error.message)))
  const from = { address: "192.1.0.1", port: 25, destination: "one", source: "192.0.2.77" }
  expect(faults.of(attempt({ phase: "connect", text }), from)).toEqual({
    code: "source_missing",
    facts: { source: "192.0.2.77" },
  })
  expect(meets(1, { text: "connect ENETUNREACH 192.1.0.1:25 - Local (0.0.0.0:0)" })).toEqual({
    code: "no_route",
    facts: { server: "192.1.0.1" },
  })
})

test("a machine without IPv6 lacks nothing", () => {
  const { faults } = watch()
  const server = { address: "2001:db8::1", port: 25, destination: "one" }
  expect(faults.of(attempt({ phase: "connect", text: "connect ENETUNREACH 2001:db8::1:25" }), server)).toBeNull()
})

test("a network is the first 16 bits of an address, the first 32 of one of IPv6", () => {
  expect(networkPrefix("192.0.2.1")).toBe("192.0")
  expect(networkPrefix("2001:db8:1::1")).toBe("2001:db8")
})
