import { describe, expect, it } from "vitest"
import { allowsHost, parsePolicy, policyIdIn } from "@/lib/delivery/direct/tls-policies"

const good = "version: STSv1\r\nmode: enforce\r\nmx: mail.example.com\r\nmx: *.Example.net.\r\nmax_age: 604800\r\n"

describe("a policy of MTA-STS", () => {
  it("is read with any line ends, unknown fields and fields that are written twice", () => {
    const read = { mode: "enforce", mx: ["mail.example.com", "*.example.net"], maxAgeSeconds: 604_800 }
    expect(parsePolicy(good)).toEqual(read)
    expect(parsePolicy(good.replaceAll("\r\n", "\n"))).toEqual(read)
    expect(parsePolicy(`${good}extension: x\nmode: none\nmax_age: 1\n`)).toEqual(read)
  })

  it("is kept for at most a year", () => {
    expect(parsePolicy(good.replace("604800", "9999999999"))?.maxAgeSeconds).toBe(31_557_600)
  })

  it.each([
    ["another version", good.replace("STSv1", "STSv2")],
    ["no mode", good.replace("mode: enforce\r\n", "")],
    ["an unknown mode", good.replace("enforce", "strict")],
    ["no age", good.replace(/max_age.*/, "")],
    ["an age that is no number", good.replace("604800", "1e12")],
    ["an age of twelve digits", good.replace("604800", "999999999999")],
    ["no host", good.replaceAll(/mx: .*\r\n/g, "")],
    ["every host", good.replace("mail.example.com", "*")],
    ["a star inside", good.replace("mail.example.com", "a.*.example.com")],
    ["two stars", good.replace("mail.example.com", "*.*.example.com")],
    ["a thousand hosts", good + "mx: a.example.com\r\n".repeat(1_000)],
    ["a page", "<html>version: STSv1</html>"],
    ["nothing", ""],
  ])("is none with %s", (_, text) => {
    expect(parsePolicy(text)).toBeNull()
  })

  it("allows the hosts that it names, and by a star those one label below", () => {
    const policy = parsePolicy(good)
    const allowed = (host: string) => policy !== null && allowsHost(policy, host)
    expect(["mail.example.com", "a.example.net"].map(allowed)).toEqual([true, true])
    expect(["example.net", "a.b.example.net", "mail.example.org", "xmail.example.com", "net"].map(allowed)).toEqual(
      Array(5).fill(false),
    )
  })
})

describe("the record of a policy", () => {
  const idOf = (...values: string[]) => policyIdIn({ kind: "found", values, name: "", ttlSeconds: 0, secure: false })

  it("names its id", () => {
    expect(idOf("v=STSv1; id=20260101T000000;", "v=spf1 -all")).toBe("20260101T000000")
    expect(idOf("v=STSv1;id=1; x=y")).toBe("1")
  })

  it("is none if there are two, or if it has no valid id", () => {
    expect(idOf("v=STSv1; id=1", "v=STSv1; id=2")).toBeUndefined()
    expect(idOf("v=STSv1; id=a b")).toBeUndefined()
    expect(idOf("v=STSv10; id=1")).toBeUndefined()
    expect(idOf()).toBeUndefined()
    expect(policyIdIn({ kind: "error", reason: "timeout" })).toBeUndefined()
  })
})
