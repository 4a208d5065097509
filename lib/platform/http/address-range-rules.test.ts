import { describe, expect, test } from "vitest"
import { isWithin, rangeText, readRange } from "@/lib/platform/http/address-range-rules"

const textOf = (text: string) => {
  const range = readRange(text)
  return range && rangeText(range)
}

describe("an address or network", () => {
  test.each([
    ["203.0.113.9", "203.0.113.9"],
    [" 203.0.113.9/32 ", "203.0.113.9"],
    ["203.0.113.9/24", "203.0.113.0/24"],
    ["0.0.0.0/0", "0.0.0.0/0"],
    ["2001:DB8:0:0::1", "2001:db8::1"],
    ["2001:db8::1/128", "2001:db8::1"],
    ["2001:db8:ffff::/33", "2001:db8:8000::/33"],
    ["::/0", "::/0"],
    ["::", "::"],
    ["::1", "::1"],
    ["::ffff:203.0.113.9", "203.0.113.9"],
    ["::ffff:cb00:7109/120", "203.0.113.0/24"],
    ["64:ff9b::203.0.113.9", "203.0.113.9"],
  ])("%s is stored as %s", (text, stored) => {
    expect(textOf(text)).toBe(stored)
    expect(textOf(stored)).toBe(stored)
  })

  test.each([
    ...["", "/", "/24", "203.0.113", "203.0.113.256", "203.0.113.09", "203.0.113.9/33", "203.0.113.9/-1"],
    ...["203.0.113.9/024", "203.0.113.9/", "203.0.113.9/8/8", "0x7f.0.0.1", "2130706433", "127.1", "acme.test"],
    ...[
      "2001:db8::/129",
      "2001:db8:::1",
      "1:2:3:4:5:6:7",
      "fe80::1%eth0",
      "[::1]",
      "::1]:80/@[::1",
      "::ffff:10.0.0.0/95",
    ],
  ])("%j is refused", (text) => {
    expect(readRange(text)).toBeNull()
  })
})

describe("a client's address", () => {
  const within = (address: string, ...ranges: string[]) =>
    isWithin(
      ranges.map((text) => readRange(text)).filter((range) => range !== null),
      address,
    )

  test("is in a network from its first address to its last", () => {
    for (const address of ["10.1.2.0", "10.1.2.255", "::ffff:10.1.2.7", "::ffff:a01:207", "64:ff9b::a01:207"])
      expect(within(address, "10.1.2.0/24"), address).toBe(true)
    for (const address of ["10.1.1.255", "10.1.3.0", "::10.1.2.7", "2001:db8::a01:207"])
      expect(within(address, "10.1.2.0/24"), address).toBe(false)
    expect(within("2001:db8:0:ffff:ffff:ffff:ffff:ffff", "2001:db8::/48")).toBe(true)
    expect(within("2001:db8:1::", "2001:db8::/48")).toBe(false)
    expect(within("fe80::7%eth0", "fe80::/10")).toBe(true)
  })

  test("in any of them; a network of everything is of one family", () => {
    expect(within("198.51.100.7", "2001:db8::/32", "198.51.100.7")).toBe(true)
    expect(within("198.51.100.8", "2001:db8::/32", "198.51.100.7")).toBe(false)
    expect(within("198.51.100.8", "::/0")).toBe(false)
    expect(within("2001:db8::1", "0.0.0.0/0")).toBe(false)
  })

  test("that is none is in none", () => {
    for (const address of ["", "unknown", "127.1", "10.1.2.7, 10.1.2.8"])
      expect(within(address, "0.0.0.0/0", "::/0"), address).toBe(false)
  })
})
