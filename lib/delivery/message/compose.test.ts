import fc from "fast-check"
import PostalMime, { addressParser } from "postal-mime"
import { describe, expect, it } from "vitest"
import { compose, type ComposeInput } from "@/lib/delivery/message/compose"
import { feedbackIdOf } from "@/lib/delivery/message/composed"

const plain: ComposeInput = {
  messageId: "<0190a1b2@acme.example>",
  date: new Date("2026-11-21T08:00:00.000Z"),
  from: { name: "Acme, Inc.", address: "news@acme.example" },
  to: [{ name: "Zoë 🎈", address: "zoe@xn--bcher-kva.example" }, { address: "bob@b.example" }],
  cc: [{ name: 'Quote " and \\', address: "cc@b.example" }],
  replyTo: { address: "reply@acme.example" },
  subject: "Grüße aus Köln",
  text: "Hallo\n.\nWelt\r\nalt\rneu",
  html: "<p>Hallo – Welt</p>",
  attachments: [],
  headers: [{ name: "X-Entity-Ref-ID", value: "abc 123" }],
}
const text = async (message: Partial<ComposeInput>) => (await compose({ ...plain, ...message })).toString("latin1")
const headOf = (raw: string) => raw.slice(0, raw.indexOf("\r\n\r\n") + 2)

describe("compose", () => {
  it("has the sender, recipients, date and content that it was given", async () => {
    const parsed = await PostalMime.parse(await compose(plain))
    expect(parsed.from).toMatchObject({ name: "Acme, Inc.", address: "news@acme.example" })
    expect(parsed.to).toMatchObject([
      { name: "Zoë 🎈", address: expect.stringContaining("zoe@") },
      { name: "", address: "bob@b.example" },
    ])
    expect(parsed.cc).toMatchObject([{ name: 'Quote " and \\', address: "cc@b.example" }])
    expect(parsed.replyTo).toMatchObject([{ address: "reply@acme.example" }])
    expect(parsed.subject).toBe("Grüße aus Köln")
    expect(parsed.messageId).toBe("<0190a1b2@acme.example>")
    expect(parsed.date).toBe("2026-11-21T08:00:00.000Z")
    expect(parsed.text?.trim()).toBe("Hallo\n.\nWelt\nalt\nneu")
    expect(parsed.html?.trim()).toBe("<p>Hallo – Welt</p>")
    expect(headOf(await text({}))).toMatch(/^X-Entity-Ref-ID: abc 123\r$/m)
  })

  it("keeps the A-label of a recipient's domain in the header", async () => {
    expect(headOf(await text({}))).toContain("<zoe@xn--bcher-kva.example>")
  })

  it("is 7-bit with CRLF line breaks of at most 998 octets, and without Bcc or Return-Path, whatever it is given", async () => {
    const anything = fc.string({ unit: "grapheme", maxLength: 300 })
    const body = fc.array(
      fc.oneof(anything, fc.constantFrom("\n", "\r", "\r\n", ".", "\0", "\t", " ", "x".repeat(1200))),
    )
    await fc.assert(
      fc.asyncProperty(
        anything,
        anything,
        body,
        body,
        anything,
        anything,
        async (name, subject, some, more, file, value) => {
          const raw = await compose({
            ...plain,
            from: { name: name.slice(0, 256), address: "news@acme.example" },
            subject,
            text: some.join(""),
            html: more.join(""),
            headers: [{ name: "X-Any", value }],
            attachments: [
              {
                filename: file,
                contentType: "text/plain",
                content: Buffer.from(more.join("")),
                disposition: "attachment",
              },
            ],
          })
          const octets = raw.toString("latin1")
          expect(octets).not.toMatch(/[^\x01-\x7f]/)
          expect(octets.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/)
          expect(octets.endsWith("\r\n")).toBe(true)
          expect(Math.max(...octets.split("\r\n").map((line) => line.length))).toBeLessThanOrEqual(998)
          const names =
            headOf(octets)
              .match(/^[^\s:]+(?=:)/gm)
              ?.map((found) => found.toLowerCase()) ?? []
          expect(names.filter((found) => found === "from")).toHaveLength(1)
          for (const never of ["bcc", "return-path", "x"]) expect(names).not.toContain(never)
        },
      ),
      { numRuns: 150 },
    )
  })

  it.each(["s".repeat(998), "é".repeat(998), `${"ab ".repeat(300)}end`])("keeps a long subject", async (subject) => {
    const raw = await text({ subject })
    expect(Math.max(...raw.split("\r\n").map((line) => line.length))).toBeLessThanOrEqual(998)
    expect((await PostalMime.parse(raw)).subject).toBe(subject)
  })

  it.each([
    ["subject", { subject: "a\r\nBcc: e@x.test" }],
    ["a custom header", { headers: [{ name: "X-A", value: "b\r\nBcc: e@x.test" }] }],
    ["a name", { from: { name: "a\r\nBcc: e@x.test", address: "a@b.test" } }],
    ["a list id", { listId: "a\r\nBcc: e@x.test" }],
    ["a feedback id", { feedbackId: "a\r\nBcc: e@x.test" }],
    [
      "a file name",
      {
        attachments: [
          {
            filename: 'a"\r\nBcc: 1.txt',
            contentType: "a/b",
            content: Buffer.from(""),
            disposition: "attachment" as const,
          },
        ],
      },
    ],
  ])("lets no line break through from %s", async (_, part) => {
    expect(await text(part)).not.toMatch(/^bcc/im)
  })

  it("carries attachments byte for byte, inline ones beside the html", async () => {
    const bytes = Buffer.from(Array.from({ length: 3000 }, (_, at) => at % 256))
    const parsed = await PostalMime.parse(
      await compose({
        ...plain,
        attachments: [
          { filename: "Übersicht.bin", contentType: "application/x-any", content: bytes, disposition: "attachment" },
          { filename: "l.png", contentType: "image/png", content: bytes, contentId: "logo@a", disposition: "inline" },
          {
            filename: "m.eml",
            contentType: "message/rfc822",
            content: Buffer.from("A: é\n\nb"),
            disposition: "attachment",
          },
          { filename: "empty.txt", contentType: "text/plain", content: Buffer.alloc(0), disposition: "attachment" },
        ],
      }),
    )
    const found = parsed.attachments.map(({ filename, mimeType, disposition, contentId }) => ({
      filename,
      mimeType,
      disposition,
      contentId,
    }))
    expect(found).toEqual(
      expect.arrayContaining([
        { filename: "Übersicht.bin", mimeType: "application/x-any", disposition: "attachment", contentId: undefined },
        { filename: "l.png", mimeType: "image/png", disposition: "inline", contentId: "<logo@a>" },
        { filename: "m.eml", mimeType: "application/octet-stream", disposition: "attachment", contentId: undefined },
        { filename: "empty.txt", mimeType: "text/plain", disposition: "attachment", contentId: undefined },
      ]),
    )
    const any = parsed.attachments.find(({ mimeType }) => mimeType === "application/x-any")
    expect(Buffer.from(any?.content as ArrayBuffer).equals(bytes)).toBe(true)
  })

  it("announces one-click unsubscribing only for an https address", async () => {
    const unsubscribe = { url: `https://m.example/u/${"t".repeat(300)}`, mailto: "mailto:u@m.example", oneClick: true }
    const list = await text({ unsubscribe, listId: "News <news.acme.example>", feedbackId: "a:b:c:mailroom" })
    expect(list).toContain(`\r\nList-Unsubscribe: <${unsubscribe.url}>,\r\n <mailto:u@m.example>\r\n`)
    expect(list).toContain("\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n")
    expect(list).toMatch(/^List-Id: News <news\.acme\.example>\r$/im)
    expect(list).toContain("\r\nFeedback-ID: a:b:c:mailroom\r\n")
    for (const other of [
      { ...unsubscribe, oneClick: false },
      { ...unsubscribe, url: "http://m.example/u/t" },
    ])
      expect(await text({ unsubscribe: other })).not.toContain("List-Unsubscribe-Post")
    await expect(text({ unsubscribe: { url: "https://a>\r\nBcc: e", oneClick: true } })).rejects.toThrow(TypeError)
  })

  it("makes a boundary that cannot be guessed", async () => {
    const boundaries = await Promise.all(
      Array.from({ length: 20 }, async () => /boundary="?([^"\r;]+)/.exec(await text({}))?.[1]),
    )
    expect(new Set(boundaries).size).toBe(20)
  })

  it("sends the smuggling sequences as one message with no bare line break", async () => {
    for (const sequence of ["\n.\n", "\n.\r\n", "\r.\r\n", "\r\n.\n", "\r\n\0.\r\n", "\r\n.\r\n"]) {
      const raw = await text({ text: `a${sequence}MAIL FROM:<e@x.test>`, html: `b${sequence}QUIT` })
      expect(raw.replaceAll("\r\n", "")).not.toMatch(/[\r\n\0]/)
    }
  })
})

describe("names of attachments", () => {
  it("are never encoded words in quotes, and come back as they were", async () => {
    const name = fc
      .array(
        fc.oneof(
          fc.string({ unit: "grapheme", maxLength: 40 }),
          fc.constantFrom("Übersicht", "日本語", '"', "\\", "'", "%41", "; filename=x"),
        ),
        { minLength: 1, maxLength: 8 },
      )
      .map((parts) =>
        parts
          .join("")
          .replace(/[\p{Cc}\p{Cs}\u2028\u2029]/gu, "")
          .replaceAll("=?", "")
          .trim(),
      )
      .filter((name) => name !== "")
    await fc.assert(
      fc.asyncProperty(name, async (filename) => {
        const attachment = {
          filename,
          contentType: "application/pdf",
          content: Buffer.from("x"),
          disposition: "attachment" as const,
        }
        const raw = await text({ text: "a", html: undefined, attachments: [attachment] })
        expect(raw.slice(raw.indexOf("application/pdf"))).not.toContain("=?")
        expect((await PostalMime.parse(Buffer.from(raw, "latin1"))).attachments[0]?.filename).toBe(filename)
      }),
      { numRuns: 300 },
    )
  })

  it("follow RFC 2231 in the media type as in the disposition", async () => {
    const attachment = {
      filename: "Übersicht.pdf",
      contentType: "application/pdf",
      content: Buffer.from("x"),
      disposition: "attachment" as const,
    }
    const raw = await text({ attachments: [attachment] })
    expect(raw).toContain("Content-Type: application/pdf;\r\n name*=utf-8''%C3%9Cbersicht.pdf\r\n")
    expect(raw).toContain("Content-Disposition: attachment;\r\n filename*=utf-8''%C3%9Cbersicht.pdf\r\n")
  })
})

describe("the headers of a conversation", () => {
  it.each(["References", "in-reply-to"])("%s is folded between its ids, however long it is", async (name) => {
    const ids = Array.from({ length: 600 }, (_, at) => `<${at}-${"a".repeat(60)}@b.example>`)
    const raw = await text({ headers: [{ name, value: ids.join("  ") }] })
    expect(Math.max(...raw.split("\r\n").map((line) => line.length))).toBeLessThanOrEqual(998)
    const [, value = ""] = new RegExp(`^${name}:((?:.*\\r\\n[ \\t])*.*)`, "m").exec(headOf(raw)) ?? []
    expect(value.trim().split(/\s+/)).toEqual(ids)
  })
})

describe("a structured header", () => {
  const uri = `<https://b.example/?q=?utf-8?x=${"u".repeat(930)}>`
  it.each([
    ["List-Help", "<https://b.example/=?utf-8?q?a?=>, <mailto:help@b.example>"],
    ["List-Archive", uri],
    ["Archived-At", "<https://b.example/a=?b>"],
    ["Disposition-Notification-To", '"=?Ada?=, L" <ada@b.example>, "B. C." <c@b.example>'],
    ["References", "<=?a?=@b.example> <b@b.example>"],
    ["Auto-Submitted", "auto-generated; owner=?"],
  ])("%s is written as it is, never in encoded words", async (name, value) => {
    const head = headOf(await text({ headers: [{ name, value }] }))
    const [, written = ""] = new RegExp(`^${name}:((?:.*\\r\\n[ \\t])*.*)`, "m").exec(head) ?? []
    const unfolded = written.replaceAll(/\r\n(?=[ \t])/g, "").trim()
    if (name.startsWith("Disposition")) expect(unfolded).toMatch(/<ada@b\.example>, "B\. C\." <c@b\.example>$/)
    else expect(unfolded).toBe(value)
    expect(Math.max(...head.split("\r\n").map((line) => line.length))).toBeLessThanOrEqual(998)
  })
})

describe("the names and addresses of a header", () => {
  it.each(["Disposition-Notification-To", "Return-Receipt-To"])(
    "%s has its names in encoded words and its addresses in ASCII",
    async (name) => {
      const value = '"Müller, Jörg" <joerg@acme.example>, Zoë <zoe@bücher.example>'
      const raw = await text({ headers: [{ name, value }] })
      expect(headOf(raw), "the head").toMatch(/^[\r\n -~]*$/)
      const [written = ""] = (await PostalMime.parse(raw)).headers.flatMap(({ key, value: one }) =>
        key === name.toLowerCase() ? one : [],
      )
      expect(addressParser(written), "what a mail program reads").toEqual([
        { name: "Müller, Jörg", address: "joerg@acme.example" },
        { name: "Zoë", address: "zoe@xn--bcher-kva.example" },
      ])
    },
  )
})

describe("the Feedback-ID", () => {
  const projectId = "01920000-0000-7000-8000-000000000001"

  it("names the topic, else the category, the project, the domain and the service", () => {
    expect(feedbackIdOf({ topicId: null, category: "digest", projectId }, "acme.example")).toMatch(
      /^digest:proj_\w{26}:acme\.example:mailroom$/,
    )
    expect(feedbackIdOf({ topicId: projectId, category: "digest", projectId }, "acme.example")).toMatch(
      /^top_\w{26}:proj_\w{26}:acme\.example:mailroom$/,
    )
  })

  it("has four parts and at most 127 characters for the longest domain", () => {
    const id = feedbackIdOf({ topicId: projectId, category: "transactional", projectId }, `${"a".repeat(240)}.example`)
    expect(id).toHaveLength(127)
    expect(id).toMatch(/^[^:]+:[^:]+:a+\.example:mailroom$/)
  })
})
