import fc from "fast-check"
import PostalMime from "postal-mime"
import { describe, expect, it } from "vitest"
import { compose, type ComposeAttachment, type ComposeInput } from "@/lib/delivery/message/compose"

const plain: ComposeInput = {
  messageId: "<0190a1b2@acme.example>",
  date: new Date("2026-11-21T08:00:00.000Z"),
  from: { address: "news@acme.example" },
  to: [{ address: "zoe@b.example" }],
  cc: [],
  subject: "Hello",
  text: "Hello",
  attachments: [],
  headers: [],
}

const runs = { numRuns: 300 }
const parse = async (message: Partial<ComposeInput>) => PostalMime.parse(await compose({ ...plain, ...message }))
const octets = async (message: Partial<ComposeInput>) => (await compose({ ...plain, ...message })).toString("latin1")
const headOf = (raw: string) => raw.slice(0, raw.indexOf("\r\n\r\n") + 2)

/** What lib/emails lets into a header: whole characters, no control characters, something to see. */
const word = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 40 }),
  fc.string({ unit: "grapheme-ascii", maxLength: 120 }),
  fc.constantFrom(
    "=?utf-8?q?a?=",
    "?=",
    "Grüße",
    "日本語のとても長い件名です",
    "🎈👩‍👩‍👧",
    '"',
    "\\",
    ",",
    "<x@y.test>",
    "a  b",
    "%41",
  ),
)
const line = fc
  .array(word, { minLength: 1, maxLength: 12 })
  .map((words) =>
    words
      .join(" ")
      .replace(/[\p{Cc}\p{Cs}\u2028\u2029]/gu, "")
      .trim(),
  )
  .filter((text) => text !== "")

/** Parsers differ in white space at the ends; everything between is compared exactly. */
const bodyText = fc
  .array(
    fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 90 }).map((text) => text.replace(/[\r\n\0\u2028\u2029\ufeff]/g, "")),
      fc.constantFrom(
        "",
        ".",
        "..",
        ".QUIT",
        "From me",
        "=",
        "=3D",
        "x".repeat(1200),
        "é".repeat(400),
        "trail \t",
        "--",
        "\t",
      ),
    ),
    { maxLength: 12 },
  )
  .map((lines) => `<${lines.join("\n")}>`)

describe("what a parser finds in a composed message", () => {
  it("is every subject, on lines that are neither too long nor empty", async () => {
    await fc.assert(
      fc.asyncProperty(line, async (subject) => {
        const raw = await octets({ subject })
        const head = headOf(raw)
        expect((await PostalMime.parse(raw)).subject).toBe(subject)
        for (const one of head.split("\r\n")) {
          expect(one.length).toBeLessThanOrEqual(one.includes("=?UTF-8?") ? 76 : 998)
        }
        expect(head).not.toMatch(/\r\n[ \t]*\r\n/)
      }),
      runs,
    )
  })

  it("is every header of the caller, under its own spelling", async () => {
    const name = fc.stringMatching(/^[!-9;-~]{1,60}$/).map((rest) => `X-${rest}`)
    await fc.assert(
      fc.asyncProperty(name, line, async (key, value) => {
        const raw = await octets({ headers: [{ name: key, value }] })
        expect(headOf(raw)).toContain(`\r\n${key}:`)
        expect(Math.max(...raw.split("\r\n").map((one) => one.length))).toBeLessThanOrEqual(998)
        const unfolded = headOf(raw).replace(/\r\n(?=[ \t])/g, "")
        if (/^[ -~]*$/.test(value) && !value.includes("=?")) expect(unfolded).toContain(`\r\n${key}: ${value}\r\n`)
        else expect(unfolded).toContain("=?UTF-8?")
      }),
      runs,
    )
  })

  it("is every name beside its address", async () => {
    const named = line.map((name) => ({ name: name.slice(0, 256).toWellFormed().trim(), address: "someone@b.example" }))
    await fc.assert(
      fc.asyncProperty(named, fc.array(named, { minLength: 1, maxLength: 50 }), async (from, to) => {
        const parsed = await parse({ from, to, cc: to, replyTo: from })
        expect(parsed.from).toMatchObject(from)
        expect(parsed.to).toMatchObject(to)
        expect(parsed.cc).toMatchObject(to)
        expect(parsed.replyTo).toMatchObject([from])
      }),
      runs,
    )
  })

  it("is every line of both bodies", async () => {
    await fc.assert(
      fc.asyncProperty(bodyText, bodyText, fc.boolean(), async (text, html, both) => {
        const parsed = await parse(both ? { text, html } : { text })
        expect(parsed.text?.replaceAll("\r\n", "\n").trimEnd()).toBe(text)
        if (both) expect(parsed.html?.replaceAll("\r\n", "\n").trimEnd()).toBe(html)
      }),
      runs,
    )
  })

  it("is every attachment with its name, type, position and bytes", async () => {
    // This parser reads encoded words even where RFC 2231 says that there are none.
    const filename = line.map((name) => name.replaceAll("=?", "").slice(0, 255).toWellFormed().trim())
    const attachment: fc.Arbitrary<ComposeAttachment> = fc.record(
      {
        filename: filename.filter((name) => name !== ""),
        contentType: fc.constantFrom("image/png", "application/pdf", 'text/csv; charset="utf-16le"'),
        content: fc.uint8Array({ maxLength: 700 }).map((bytes) => Buffer.from(bytes)),
        contentId: fc.stringMatching(/^[\w.!#$%&'*+/=?^`{|}~@-]{1,128}$/),
        disposition: fc.constantFrom("attachment", "inline"),
      },
      { requiredKeys: ["filename", "contentType", "content", "disposition"] },
    )
    await fc.assert(
      fc.asyncProperty(fc.array(attachment, { maxLength: 5 }), fc.boolean(), async (attachments, html) => {
        const parsed = await parse({ attachments, ...(html ? { html: "<p>Hi</p>" } : {}) })
        const found = parsed.attachments.map(({ filename, mimeType, disposition, contentId, content }) => ({
          filename,
          mimeType,
          disposition,
          contentId,
          bytes: Buffer.from(content as ArrayBuffer).toString("hex"),
        }))
        expect(found).toHaveLength(attachments.length)
        for (const { filename, contentType, disposition, contentId, content } of attachments) {
          expect(found).toContainEqual({
            filename,
            mimeType: contentType.split(";")[0],
            disposition,
            contentId: contentId === undefined ? undefined : `<${contentId}>`,
            bytes: content.toString("hex"),
          })
        }
      }),
      runs,
    )
  })

  it("has the levels that its parts need and no more", async () => {
    const file = (contentId?: string): ComposeAttachment => ({
      filename: "a.png",
      contentType: "image/png",
      content: Buffer.from("png"),
      disposition: contentId ? "inline" : "attachment",
      ...(contentId ? { contentId } : {}),
    })
    const levels = async (message: Partial<ComposeInput>) =>
      [...(await octets(message)).matchAll(/^Content-Type: ([\w/]+)/gm)].map(([, type]) => type)
    expect(await levels({})).toEqual(["text/plain"])
    expect(await levels({ text: "" })).toEqual(["text/plain"])
    expect(await levels({ text: "", html: "<p>" })).toEqual(["text/html"])
    expect(await levels({ html: "<p>" })).toEqual(["multipart/alternative", "text/plain", "text/html"])
    expect(await levels({ attachments: [file()] })).toEqual(["multipart/mixed", "text/plain", "image/png"])
    expect(await levels({ html: "<p>", attachments: [file("a@b"), file()] })).toEqual(
      "multipart/mixed multipart/alternative text/plain multipart/related text/html image/png image/png".split(" "),
    )
  })

  it("has no line that a server on the way would change", async () => {
    const raw = await octets({ text: ".\nFrom here on\nFromage\nlast", html: `<p>${"a".repeat(75)}.From here</p>` })
    expect(raw).not.toMatch(/^(\.|From )/m)
    expect(raw).toContain("=46rom here on")
    expect(raw).toContain("\r\nFromage")
  })

  it("keeps the bytes of a large file", async () => {
    const content = Buffer.alloc(10 * 1024 * 1024, "0123456789abcdefg\0\xff", "latin1")
    const attachments = [
      { filename: "large.bin", contentType: "application/octet-stream", content, disposition: "attachment" as const },
    ]
    const parsed = await parse({ attachments })
    expect(Buffer.from(parsed.attachments[0]?.content as ArrayBuffer).equals(content)).toBe(true)
  })

  it("refuses an address or a header name that is none", async () => {
    await expect(octets({ to: [{ address: "a@b.test>, <c@d.test" }] })).rejects.toThrow(TypeError)
    await expect(octets({ from: { address: "a@b.test\r\nBcc: c@d.test" } })).rejects.toThrow(TypeError)
    await expect(octets({ headers: [{ name: "X-A: b\r\nBcc", value: "c@d.test" }] })).rejects.toThrow(TypeError)
  })
})
