import { generateKeyPairSync } from "node:crypto"
import fc from "fast-check"
import { dkimVerify } from "mailauth/lib/dkim/verify"
import { describe, expect, it } from "vitest"
import { compose } from "@/lib/delivery/message/compose"
import { sign } from "@/lib/delivery/message/dkim"

const pair = generateKeyPairSync("rsa", { modulusLength: 2048 })
const signer = { domain: "acme.example", selector: "mrabc234a", key: pair.privateKey }
const record = `v=DKIM1; k=rsa; p=${pair.publicKey.export({ type: "spki", format: "der" }).toString("base64")}`
const resolver = async (name: string, type: string) => {
  if (name === "mrabc234a._domainkey.acme.example" && type === "TXT") return [[record]]
  throw Object.assign(new Error("no such name"), { code: "ENOTFOUND" })
}
const verdict = async (raw: Buffer) => {
  const { results } = await dkimVerify(raw, { resolver })
  return results.map(({ status }) => status.result)
}
const hostileLine = fc.oneof(
  fc.constantFrom("", ".", "..", ".QUIT", " ", "\t", "a  b\tc  ", " lead", "trail \t", "x".repeat(998), "From me"),
  fc.string({ unit: "grapheme", maxLength: 200 }).map((line) => line.replace(/[\r\n\0]/g, "")),
)
// The verifier trims 8-bit octets that look like Latin-1 spaces from headers; ours are always 7-bit.
const asciiLine = hostileLine.map((line) => line.replace(/[^\t -~]/g, "?"))
const hostileBody = fc
  .tuple(fc.array(hostileLine, { maxLength: 12 }), fc.nat(5))
  .map(([lines, blanks]) => lines.map((line) => `${line}\r\n`).join("") + "\r\n".repeat(blanks))

describe("sign", () => {
  it("passes at an independent verifier for any raw message, 8-bit ones included", async () => {
    await fc.assert(
      fc.asyncProperty(hostileBody, asciiLine, fc.nat(600), async (body, subject, extra) => {
        const head = [
          "From: Acme <news@acme.example>",
          "to:zoe@b.example,\r\n\tbob@b.example",
          `SUBJECT:  ${subject.trim() || "x"}`,
          "Date: Sat, 21 Nov 2026 08:00:00 +0000",
          `List-Unsubscribe: <https://m.example/u/${"t".repeat(extra)}>,\r\n <mailto:u@m.example>`,
          "List-Unsubscribe-Post: List-Unsubscribe=One-Click",
        ].join("\r\n")
        const signed = await sign(Buffer.from(`${head}\r\n\r\n${body}`), signer)
        expect(await verdict(signed)).toEqual(["pass"])
      }),
      { numRuns: 200 },
    )
  }, 60_000)

  it("passes at an independent verifier for any composed message", async () => {
    const lines = fc.string({ unit: "grapheme", maxLength: 120 })
    await fc.assert(
      fc.asyncProperty(hostileBody, hostileBody, lines, lines, async (text, html, subject, name) => {
        const signed = await sign(
          await compose({ ...plain, text, html, subject, from: { name, address: "a@acme.example" } }),
          signer,
        )
        expect(await verdict(signed)).toEqual(["pass"])
      }),
      { numRuns: 200 },
    )
  }, 60_000)

  it("fails as soon as one visible byte of the body or of a signed header is another", async () => {
    const signed = await sign(await compose(plain), signer)
    const start = signed.indexOf("From:")
    const unsigned = /^(Content-Transfer-Encoding|X-Entity-Ref-ID):.*$/gim
    const skipped = [...signed.toString("latin1").matchAll(unsigned)].map(
      (found) => [found.index, found[0].length] as const,
    )
    const free = (at: number) => skipped.some(([from, length]) => at >= from && at < from + length)
    for (let at = start; at < signed.length; at += 7) {
      const byte = signed[at] ?? 0
      if (free(at) || byte <= 0x20 || signed.subarray(at, at + 40).includes(":")) continue
      const flipped = Buffer.from(signed)
      flipped[at] = byte ^ 0x01
      expect(await verdict(flipped), `byte ${at}`).not.toContain("pass")
    }
  }, 60_000)

  it.each(["From", "To", "Subject", "Date", "Reply-To"])("fails when a second %s is put in", async (name) => {
    const signed = await sign(await compose(plain), signer)
    const value = name === "Date" ? "Sat, 21 Nov 2026 09:00:00 +0000" : "evil@evil.example"
    for (const forged of [
      Buffer.concat([Buffer.from(`${name}: ${value}\r\n`), signed]),
      Buffer.from(signed.toString("latin1").replace("\r\n\r\n", `\r\n${name}: ${value}\r\n\r\n`), "latin1"),
    ])
      expect(await verdict(forged)).not.toContain("pass")
  })

  it("names what it signs, without length or expiry, in lines of at most 76 columns", async () => {
    const signed = await sign(await compose({ ...plain, unsubscribe, listId: "<a.b>", feedbackId: "a:b" }), signer)
    const header = signed.toString("latin1").split(/\r\n(?![ \t])/)[0] ?? ""
    expect(Math.max(...header.split("\r\n").map((line) => line.length))).toBeLessThanOrEqual(76)
    const tags = Object.fromEntries(
      header
        .slice("DKIM-Signature:".length)
        .replace(/\s+/g, "")
        .split(";")
        .map((tag) => [tag.slice(0, tag.indexOf("=")), tag.slice(tag.indexOf("=") + 1)]),
    )
    expect(Object.keys(tags).sort()).toEqual(["a", "b", "bh", "c", "d", "h", "s", "v"])
    expect(tags).toMatchObject({ a: "rsa-sha256", c: "relaxed/relaxed", d: "acme.example", s: "mrabc234a" })
    expect(tags.h?.split(":").toSorted()).toEqual(
      "content-type date date feedback-id from from list-id list-unsubscribe list-unsubscribe-post message-id mime-version reply-to subject subject to to"
        .split(" ")
        .toSorted(),
    )
  })

  it("adds the signature and changes nothing else", async () => {
    const raw = await compose(plain)
    const signed = await sign(raw, signer)
    expect(signed.subarray(signed.length - raw.length).equals(raw)).toBe(true)
  })
})

const unsubscribe = { url: `https://m.example/u/${"t".repeat(200)}`, mailto: "mailto:u@m.example", oneClick: true }
const plain = {
  messageId: "<0190a1b2@acme.example>",
  date: new Date("2026-11-21T08:00:00.000Z"),
  from: { name: "Acme", address: "news@acme.example" },
  to: [{ address: "zoe@b.example" }],
  cc: [],
  subject: "Hello",
  text: "Hello\r\n",
  html: "<p>Hello</p>",
  attachments: [],
  headers: [],
}
