import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { hostname } from "@/lib/addresses/hostname"
import { registrableDomain, sendingHostname } from "@/lib/addresses/registrable"

const own = ["mailroom.test", "dmarc.reports.example"]

describe("a host name is normalised", () => {
  it.each([
    ["acme.com", "acme.com"],
    ["ACME.Com", "acme.com"],
    ["acme.com.", "acme.com"],
    ["mail.acme.co.uk", "mail.acme.co.uk"],
    ["acme.test", "acme.test"],
    ["bücher.test", "xn--bcher-kva.test"],
    ["faß.de", "xn--fa-hia.de"],
    ["XN--BCHER-KVA.test", "xn--bcher-kva.test"],
    ["ａcme。test", "acme.test"],
    ["a.github.io", "a.github.io"],
    ["1and1.com", "1and1.com"],
    [`${"a".repeat(63)}.test`, `${"a".repeat(63)}.test`],
  ])("%s becomes %s", (text, ascii) => {
    expect(sendingHostname(text, own)).toEqual({ ok: true, ascii })
  })
})

describe("what is no host name is refused, and the reason says why", () => {
  it.each([
    ["", "empty"],
    ["http://x.test", "scheme"],
    ["x.test/p", "path"],
    ["x.test?q", "path"],
    ["x.test#f", "path"],
    ["x.test\\p", "path"],
    ["x.test:25", "port"],
    ["*.x.test", "wildcard"],
    ["localhost", "one part"],
    ["test", "one part"],
    ["127.0.0.1", "IP address"],
    ["127.1", "IP address"],
    ["0x7f.0.0.1", "IP address"],
    ["[::1]", "IP address"],
    ["::1", "IP address"],
    ["x..test", "empty part"],
    [".x.test", "empty part"],
    ["-x.test", "hyphen"],
    ["x-.test", "hyphen"],
    [`${"a".repeat(64)}.test`, "63"],
    [`${"a.".repeat(125)}test`, "253"],
    ["xn--.test", "not a host name"],
    ["xn--zzzzzz.test", "not a host name"],
    ["x.test\n", "white space"],
    [" x.test", "white space"],
    ["x .test", "white space"],
    ["x\u0000.test", "white space"],
    ["co.uk", "public suffix"],
    ["github.io", "public suffix"],
    ["_dmarc.x.test", "underscore"],
    ["me@x.test", "email address"],
    ["x%2etest", "letters, digits"],
    ["x,test.com", "letters, digits"],
    ["℀.test", "not a host name"],
    ["acme.123", "not a host name"],
    ["mailroom.test", "this service"],
    ["MAILROOM.test.", "this service"],
    ["spf.us-east-1.mailroom.test", "this service"],
    ["dmarc.reports.example", "this service"],
  ])("%j", (text, why) => {
    const read = sendingHostname(text, own)
    expect(read.ok).toBe(false)
    expect(read.ok ? "" : read.reason).toContain(why)
  })

  it("a name 254 characters long is refused, one of 253 is not", () => {
    const of = (length: number) =>
      ("ab.".repeat(100) + "test").slice(-length).replace(/^\.*/, (dots) => "x".repeat(dots.length))
    expect(of(253)).toHaveLength(253)
    expect(hostname(of(253)).ok).toBe(true)
    expect(hostname(of(254)).ok).toBe(false)
    expect(sendingHostname(of(232), own).ok).toBe(true)
    expect(sendingHostname(of(233), own).ok).toBe(false)
  })
})

describe("for any text", () => {
  const texts = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.domain(),
    fc.webUrl(),
    fc.ipV4(),
    fc.ipV6(),
    fc.emailAddress(),
  )

  it("reading never throws, and what is accepted is plain, in bounds and reads as itself", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const read = hostname(text)
        if (!read.ok) return read.reason.length > 0
        const labels = read.ascii.split(".")
        expect(read.ascii.length).toBeLessThanOrEqual(253)
        expect(labels.length).toBeGreaterThan(1)
        for (const label of labels) expect(label).toMatch(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/)
        expect(hostname(read.ascii)).toEqual(read)
        return true
      }),
      { numRuns: 2000 },
    )
  })
})

describe("the organizational domain", () => {
  it.each([
    ["mail.acme.co.uk", "acme.co.uk"],
    ["acme.test", "acme.test"],
    ["a.b.acme.test", "acme.test"],
    ["co.uk", null],
  ])("of %s is %s", (name, domain) => {
    expect(registrableDomain(name)).toBe(domain)
  })
})
