import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { measured } from "@/e2e/support/measured"
import { parseAddress } from "@/lib/addresses/address"

describe("parseAddress", () => {
  it.each([
    ["a@b.example", { address: "a@b.example", canonical: "a@b.example", local: "a", domain: "b.example" }],
    ["Ada.L+x@EXAMPLE.Test", { address: "Ada.L+x@example.test", canonical: "ada.l+x@example.test" }],
    ["Ada Lovelace <ada@b.example>", { name: "Ada Lovelace", address: "ada@b.example" }],
    ['"Acme, Inc. \\"x\\"" <ada@b.example>', { name: 'Acme, Inc. "x"', address: "ada@b.example" }],
    ["<ada@b.example>", { address: "ada@b.example" }],
    ["Zoë 🎈 <zoe@b.example>", { name: "Zoë 🎈" }],
    ["u@bücher.example", { domain: "xn--bcher-kva.example", canonical: "u@xn--bcher-kva.example" }],
    ["u@BÜCHER.example", { domain: "xn--bcher-kva.example" }],
    ["u@xn--bcher-kva.example", { domain: "xn--bcher-kva.example" }],
    ["u@faß.example", { domain: "xn--fa-hia.example" }],
    ["u@👋.example", { domain: "xn--wp8h.example" }],
    ["u@xn--wp8h.example", { domain: "xn--wp8h.example" }],
    ["u@i❤\ufe0f.example", { domain: "xn--i-7iq.example" }],
    ["u@👍🏽.example", { domain: "xn--on8h5e.example" }],
    ["u@€uro.example", { domain: "xn--uro-j50a.example" }],
    ["o'neil/x=y@b.example", { local: "o'neil/x=y" }],
    [`${"l".repeat(64)}@b.example`, { local: "l".repeat(64) }],
  ])("accepts %j", (text, expected) => {
    expect(parseAddress(text)).toMatchObject({ ok: true, ...expected })
  })

  it("keeps a look-alike domain apart from the one it imitates", () => {
    expect(parseAddress("a@v\u0435rified.test")).toMatchObject({ ok: true, domain: "xn--vrified-7gg.test" })
  })

  it("takes the address in the brackets whatever the name claims", () => {
    expect(parseAddress('"a@verified.test" <x@evil.test>')).toMatchObject({
      name: "a@verified.test",
      address: "x@evil.test",
    })
  })

  it.each([
    "a@verified.test, b@evil.test",
    "a@verified.test\u0000.evil",
    "a@x.test\r\nBcc: e@x.test",
    "x@x.test>\r\nRCPT TO:<e@x.test",
    "x@x.test>RCPT TO:<e@x.test",
    "\n",
    "\r",
    "%0d%0a",
    "a%0d%0a@x.test",
    "a@x.test%0d%0a",
    "a@x.test\u0085b",
    "a@x.test\u2028",
    "a\u2029@x.test",
    "u@x.test,e@evil.test",
    "u@x.test;e@evil.test",
    "group:a@x.test,b@x.test;",
    "group: Foo <a@x.test>",
    "Foo <u@x.test>, e@evil.test",
    "e@evil.test, Foo <u@x.test>",
    "e@evil.test <u@x.test>",
    '"e@attacker.com"@victim.com',
    '"xclow3n@gmail.com x"@internal.domain',
    '<"e@attacker.com"@victim.com>',
    "u\uff20evil@x.test",
    "=?utf-8?q?u=40evil?=@x.test",
    "u@[127.0.0.1]",
    "u@[IPv6:::1]",
    "u@127.0.0.1",
    "u@127.1",
    "u@0x7f.0x1",
    "u@x.test:2025",
    "<@a,@b:u@x.test>",
    "<@a.test:u@x.test>",
    "@x.test",
    "u@",
    "u",
    "",
    " ",
    "u@exa\u00admple.test",
    "u\u00ad@example.test",
    "u@\uff45xample.test",
    "u@example.test.",
    "u@example\u3002test",
    "u@example\uff0etest",
    "u@exa\ufe0fmple.test",
    "u@👨\u200d👩.test",
    "u@👋\u3002test",
    "u@\ue000.test",
    "u@👋_.test",
    "u@exa\u200bmple.test",
    "u@exa\u034fmple.test",
    "u@exam\u2060ple.test",
    "u@\u212bngstrom.test",
    " u@example.test",
    "u@example.test ",
    "u @example.test",
    "u@ example.test",
    "u(comment)@example.test",
    "u@example.test (comment)",
    "u@(comment)example.test",
    "Foo (bar) <u@example.test>",
    "u@@example.test",
    "u@a@example.test",
    ".u@example.test",
    "u.@example.test",
    "u..v@example.test",
    "u@-example.test",
    "u@example-.test",
    "u@example..test",
    "u@.example.test",
    "u@exam_ple.test",
    "u@exam%70le.test",
    "u@example.test/path",
    "u@example.test?x",
    "u@example.test#x",
    "u@localhost",
    "u@xn--a",
    "u@xn--zzzzzzzzzzz\u00e9.test",
    `${"l".repeat(65)}@b.example`,
    `u@${"d".repeat(64)}.example`,
    `u@${"ab.".repeat(90)}example`,
    `${"l".repeat(64)}@${"abcdefghi.".repeat(19)}ex`,
    '"unclosed <u@example.test>',
    '"name" u@example.test',
    '"name" <u@example.test> <e@evil.test>',
    "Foo <u@example.test> <e@evil.test>",
    "Foo <<u@example.test>>",
    "Foo <u@example.test",
    "Foo u@example.test>",
    "Foo <>",
    "Tab\there <u@example.test>",
    "Half \ud800 <u@example.test>",
    `${"n".repeat(257)} <u@example.test>`,
    `${"n".repeat(990)} <u@example.test>`,
  ])("refuses %j with a sentence", (text) => {
    const parsed = parseAddress(text)
    expect(parsed).toMatchObject({ ok: false, reason: expect.stringMatching(/^[A-Z].*\.$/) })
  })

  it("says which characters a local part may hold", () => {
    expect(parseAddress("jörg@example.test")).toMatchObject({
      ok: false,
      reason: expect.stringContaining("only the letters a to z, digits and ASCII symbols"),
    })
  })

  it("reads back every address that it is given in three forms", () => {
    fc.assert(
      fc.property(localPart, domainName, fc.string({ unit: "grapheme", maxLength: 60 }), (local, domain, raw) => {
        const address = `${local}@${domain}`
        const name = raw.replace(/[\p{Cc}\p{Cs}\u2028\u2029]/gu, "").trim()
        const expected = { ok: true, address, canonical: address.toLowerCase(), local, domain }
        expect(parseAddress(address)).toEqual(expected)
        const quoted = `"${name.replace(/["\\]/g, "\\$&")}" <${address}>`
        expect(parseAddress(quoted)).toEqual(name ? { ...expected, name } : expected)
        const plain = name.replace(/[@,;:()[\]\\"<>]/g, "").trim()
        expect(parseAddress(plain ? `${plain} <${address}>` : `<${address}>`)).toEqual(
          plain ? { ...expected, name: plain } : expected,
        )
      }),
      { numRuns: 500 },
    )
  })

  it("never throws, and what it accepts is plain ASCII that stays the same when read again", () => {
    const nasty = fc.constantFrom(...'@<>,;:"\\()[]. \r\n\0\u00ad\u2028\uff20\u3002éß-%=?abx19'.split(""))
    const text = fc.oneof(
      fc.string({ unit: "binary", maxLength: 80 }),
      fc.array(nasty, { maxLength: 30 }).map((letters) => letters.join("")),
      fc.tuple(localPart, fc.array(nasty, { maxLength: 3 }), domainName).map(([l, n, d]) => `${l}@${n.join("")}${d}`),
    )
    fc.assert(
      fc.property(text, (given) => {
        const parsed = parseAddress(given)
        if (!parsed.ok) return
        expect(parsed.address).toMatch(/^[\x21-\x7e]+@[a-z0-9.-]+$/)
        expect(parsed.address.split("@")).toHaveLength(2)
        expect(parseAddress(parsed.canonical)).toMatchObject({ ok: true, canonical: parsed.canonical })
        expect(parseAddress(parsed.address)).toMatchObject({ ok: true, canonical: parsed.canonical })
      }),
      { numRuns: 3000 },
    )
  })

  it("answers a megabyte of hostile text at once", measured, () => {
    const started = performance.now()
    for (const piece of ["(", "<", '"', "\\", "a.", "@", "=?", "%", "é", "\u0300"]) {
      parseAddress(piece.repeat(1_000_000))
      parseAddress(piece.repeat(400))
      parseAddress(`a@${piece.repeat(400)}`)
    }
    expect(performance.now() - started).toBeLessThan(1000)
  })
})

const atom = fc.stringMatching(/^[A-Za-z0-9!#$&'*+/^_`{|}~-]{1,12}$/)
const localPart = fc.array(atom, { minLength: 1, maxLength: 4 }).map((atoms) => atoms.join("."))
const label = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,10}[a-z0-9])?$/).filter((text) => !text.includes("--"))
const domainName = fc
  .tuple(fc.array(label, { minLength: 1, maxLength: 4 }), fc.stringMatching(/^[a-z]{2,8}$/))
  .map(([labels, top]) => [...labels, top].join("."))
