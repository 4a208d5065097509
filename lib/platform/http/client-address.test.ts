import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { networkOf, subnetOf } from "@/lib/platform/networks"

describe("limits per client address count", () => {
  test.each([
    ["192.0.2.7", "192.0.2.7"],
    ["::ffff:192.0.2.7", "192.0.2.7"],
    ["::FFFF:c000:0207", "192.0.2.7"],
    ["0:0:0:0:0:ffff:192.0.2.7", "192.0.2.7"],
    ["64:ff9b::192.0.2.7", "192.0.2.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:0DB8:0001:0002::", "2001:db8:1:2::/64"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["::", "0:0:0:0::/64"],
    ["1::", "1:0:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["2001:db8::192.0.2.7", "2001:db8:0:0::/64"],
  ])("%s as %s", (address, network) => expect(networkOf(address)).toBe(network))

  test.each(["", " ", "unknown", "1.2.3", "1.2.3.4:5", "[::1]", "::1::", "x".repeat(10_000), "%", "::ffff:1.2.3.999"])(
    "%j as the one bucket of what is no address",
    (address) => expect(networkOf(address)).toBe("unknown"),
  )

  test("any two addresses of one /64 as one, and of two as two", () => {
    const groups = (count: number) =>
      fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: count, maxLength: count })
    const written = (...parts: number[][]) =>
      parts
        .flat()
        .map((group) => group.toString(16))
        .join(":")
    fc.assert(
      fc.property(groups(4), groups(4), groups(4), (network, a, b) => {
        fc.pre(network.some(Boolean) && written(network) !== "64:ff9b:0:0")
        expect(networkOf(written(network, a))).toBe(networkOf(written(network, b)))
        const other = [...network.slice(0, 3), (network[3] ?? 0) ^ 1]
        expect(networkOf(written(other, a))).not.toBe(networkOf(written(network, a)))
      }),
    )
  })
})

test.each([
  ["192.0.2.7", "192.0.2.0/24"],
  ["::ffff:192.0.2.255", "192.0.2.0/24"],
  ["2001:db8:1:2:3::", "2001:db8:1:2::/64"],
  ["nonsense", "unknown"],
])("the subnet of %s is %s", (address, subnet) => expect(subnetOf(address)).toBe(subnet))
