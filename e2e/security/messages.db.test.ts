import { connect } from "node:net"
import PostalMime from "postal-mime"
import { beforeAll, beforeEach, describe, expect, test } from "vitest"
import { addVerifiedDomain } from "@/e2e/support/examples"
import { api, newWorld, type World } from "@/e2e/support/world"
import { deliverDue, newSending, relayAt, sendMail, type Sending } from "@/e2e/support/delivery/sending"
import { pool } from "@/lib/platform/database/db"
import { naiveSink, type NaiveSink } from "@/e2e/security/naive-sink"

// Attacks by what a mail holds: headers, files, bodies, sizes. What is accepted is read again where it arrives.

beforeEach(() => pool().query("DELETE FROM rate_windows"))

const mail = { from: "hello@acme.test", to: ["ada@lovelace.example"], subject: "Hello", text: "Hi", testMode: true }
const file = { filename: "a.txt", content: Buffer.from("x").toString("base64"), contentType: "text/plain" }
let world: World
beforeAll(async () => {
  world = await newWorld()
  await addVerifiedDomain(world)
  await pool().query("UPDATE projects SET per_second_sends = 100000 WHERE id = $1", [world.projectId])
})
const send = (change: Record<string, unknown>) =>
  api("POST /v1/emails", { key: world.apiKey, body: { ...mail, ...change } })
const refusals = async (change: Record<string, unknown>) => {
  const { status, json } = await send(change)
  return [status, ...(json.errors ?? []).map(({ pointer }: { pointer: string }) => pointer)]
}

describe("headers", () => {
  const ours = [
    "From",
    "To",
    "CC",
    "bcc",
    "BCC ",
    "Sender",
    "Date",
    "Subject",
    "Message-ID",
    "MIME-Version",
    "Content-Type",
    "Content-Transfer-Encoding",
    "DKIM-Signature",
    "Return-Path",
    "Received",
    "Authentication-Results",
    "ARC-Seal",
    "Resent-From",
  ]
  test.each(ours)("%j cannot be set by the sender", async (name) => {
    expect(await refusals({ headers: { [name]: "e@x" } })).toEqual([400, `/headers/${name}`])
  })

  // A message has one List-Unsubscribe, and the request asks for ours.
  test.each(["List-Unsubscribe", "list-unsubscribe-post"])(
    "%j cannot be set where the product sets it",
    async (name) => {
      const headers = { [name]: "<https://acme.test/leave>" }
      expect(await refusals({ headers, trackingSettings: { unsubscribeTracking: true } })).toEqual([
        400,
        `/headers/${name}`,
      ])
    },
  )

  test.each([
    [{ "X-A": "b\r\nBcc: e@x" }, "/headers/X-A"],
    [{ "X-A": "b\nBcc: e@x" }, "/headers/X-A"],
    [{ "X-A": "b\rBcc: e@x" }, "/headers/X-A"],
    [{ "X-A": "b\u2028Bcc: e@x" }, "/headers/X-A"],
    [{ "X-A\r\nBcc": "e" }, "/headers/X-A\r\nBcc"],
    [{ "X-A:": "e" }, "/headers/X-A:"],
    [{ "X A": "e" }, "/headers/X A"],
    [{ "": "e" }, "/headers/"],
    [{ "List-Help": "<mailto:a@x>\r\nBcc: e@x" }, "/headers/List-Help"],
    [{ "X-É": "e" }, "/headers/X-É"],
  ])("%j is refused on its field", async (headers, pointer) => {
    expect(await refusals({ headers })).toEqual([400, pointer])
  })

  test("subject, file name, content id and type cannot inject a header", async () => {
    expect(await refusals({ subject: "a\r\nBcc: e@x" })).toEqual([400, "/subject"])
    expect(await refusals({ attachments: [{ ...file, filename: 'a"\r\nX: 1.txt' }] })).toEqual([
      400,
      "/attachments/0/filename",
    ])
    expect(await refusals({ attachments: [{ ...file, contentId: "a>\r\nX: 1" }] })).toEqual([
      400,
      "/attachments/0/contentId",
    ])
    expect(await refusals({ attachments: [{ ...file, contentType: "text/plain\r\nX: 1" }] })).toEqual([
      400,
      "/attachments/0/contentType",
    ])
    expect(await refusals({ envelope: { size: "1\r\nRCPT TO:<e@x>" } })).toEqual([400, "/envelope"])
  })
})

describe("files and bodies are bytes in the request, never a path or URL to read", () => {
  test.each([
    ["a path", { attachments: [{ filename: "a", path: "/etc/passwd" }] }, "/attachments/0/path"],
    ["an address", { attachments: [{ filename: "a", href: "http://169.254.169.254/" }] }, "/attachments/0/href"],
    ["a raw message", { attachments: [{ raw: { path: "/proc/self/environ" } }] }, "/attachments/0/raw"],
    ["a raw mail", { raw: { path: "/proc/self/environ" } }, "/raw"],
    ["html that is a path", { html: { path: "/etc/passwd" } }, "/html"],
    ["text that is an address", { text: { href: "http://169.254.169.254/" } }, "/text"],
    [
      "content that is an object",
      { attachments: [{ ...file, content: { path: "/etc/passwd" } }] },
      "/attachments/0/content",
    ],
    [
      "content that is a file address",
      { attachments: [{ ...file, content: "file:///etc/passwd" }] },
      "/attachments/0/content",
    ],
    [
      "content that is a data address",
      { attachments: [{ ...file, content: "data:text/plain;base64,eA==" }] },
      "/attachments/0/content",
    ],
    ["an encoding with a line break", { attachments: [{ ...file, encoding: "x\r\n" }] }, "/attachments/0/encoding"],
    ["an alternative", { alternatives: [{ path: "/etc/passwd" }] }, "/alternatives"],
    ["an iCalendar event by its path", { icalEvent: { path: "/etc/passwd" } }, "/icalEvent"],
  ])("%s is refused", async (_, change, pointer) => {
    const [status, ...pointers] = await refusals(change)
    expect({ status, pointers }).toEqual({ status: 400, pointers: expect.arrayContaining([pointer]) })
  })

  test("a data address of 20 MB is refused before it is read as a file", async () => {
    const content = `data:text/plain;base64,${"A".repeat(20_000_000)}`
    expect((await send({ attachments: [{ ...file, content }] })).status).toBe(400)
  })
})

describe("each limit accepts its maximum and refuses one more", () => {
  const many = (count: number, make: (index: number) => unknown) =>
    Array.from({ length: count }, (_, index) => make(index))
  const labels = (count: number) => Object.fromEntries(many(count, (index) => [`k${index}`, "v"]) as [string, string][])
  const addresses = (count: number) => many(count, (index) => `u${index}@x.example`)
  const bytes = (count: number) => Buffer.alloc(count, "x").toString("base64")
  const cases: [string, number, (size: number) => Record<string, unknown>, status?: number][] = [
    ["recipients", 50, (size) => ({ to: addresses(size) })],
    [
      "recipients over to, cc and bcc",
      50,
      (size) => ({
        to: addresses(size).slice(0, 20),
        cc: addresses(size).slice(20, 40),
        bcc: addresses(size).slice(40),
      }),
    ],
    ["characters of a subject", 998, (size) => ({ subject: "s".repeat(size) })],
    ["bytes of text", 2 * 2 ** 20, (size) => ({ text: "x".repeat(size) })],
    ["bytes of html", 2 * 2 ** 20, (size) => ({ html: "x".repeat(size) })],
    [
      "decoded bytes of files",
      10 * 2 ** 20,
      (size) => ({
        attachments: [
          { ...file, content: bytes(size - 10) },
          { ...file, content: bytes(10) },
        ],
      }),
      413,
    ],
    ["MIME parts", 500, (size) => ({ attachments: many(size - 1, () => file) })],
    [
      "headers",
      50,
      (size) => ({ headers: Object.fromEntries(many(size, (index) => [`X-${index}`, "v"]) as [string, string][]) }),
    ],
    ["characters of a header line", 998, (size) => ({ headers: { "X-A": "v".repeat(size - 5) } })],
    ["characters of a header name", 76, (size) => ({ headers: { ["X".repeat(size)]: "v" } })],
    ["tags", 50, (size) => ({ tags: labels(size) })],
    ["metadata", 50, (size) => ({ metadata: labels(size) })],
    ["characters of a label's key", 64, (size) => ({ tags: { ["k".repeat(size)]: "v" } })],
    ["characters of a label's value", 256, (size) => ({ metadata: { k: "v".repeat(size) } })],
    ["characters of a file name", 255, (size) => ({ attachments: [{ ...file, filename: "f".repeat(size) }] })],
    ["characters of an idempotency key", 256, (size) => ({ idempotencyKey: "k".repeat(size) })],
  ]
  test.each(cases)("%s: %i", async (_, limit, change, over = 400) => {
    expect((await send(change(limit))).status).toBe(201)
    expect((await send(change(limit + 1))).status).toBe(over)
  })

  test("items of a batch: 100", async () => {
    const batch = (size: number) =>
      api("POST /v1/emails/batch", { key: world.apiKey, body: { items: many(size, () => mail) } })
    expect((await batch(100)).status).toBe(200)
    expect((await batch(101)).status).toBe(400)
  })

  test("a body of 24 MiB, 10,000 headers and a subject of a megabyte", async () => {
    expect((await send({ text: "x".repeat(24 * 2 ** 20) })).status).toBe(413)
    expect(
      (await send({ headers: Object.fromEntries(many(10_000, (index) => [`X-${index}`, "v"]) as [string, string][]) }))
        .status,
    ).toBe(400)
    expect(await refusals({ subject: "s".repeat(1_000_000) })).toEqual([400, "/subject"])
  })
})

describe("the idempotency key", () => {
  test.each([
    ["", 400],
    ["k".repeat(257), 400],
    [null, 201],
    [7, 400],
    ["a\u0000b", 400],
    ["a\nb", 400],
    [{ contains: "" }, 400],
    [["a"], 400],
  ])("%j is %i", async (idempotencyKey, status) => {
    expect((await send({ idempotencyKey })).status).toBe(status)
  })

  test("in two Unicode forms is two keys, and in two projects two emails", async () => {
    const other = await newWorld()
    await addVerifiedDomain(other)
    const [composed, decomposed] = ["caf\u00e9", "cafe\u0301"]
    const first = await send({ idempotencyKey: composed })
    const second = await send({ idempotencyKey: decomposed })
    const theirs = await api("POST /v1/emails", { key: other.apiKey, body: { ...mail, idempotencyKey: composed } })
    expect(new Set([first, second, theirs].map(({ json }) => json.id)).size).toBe(3)
    expect([first, second, theirs].map(({ headers }) => headers.get("idempotent-replayed"))).toEqual([null, null, null])
    expect((await send({ idempotencyKey: composed })).json.id).toBe(first.json.id)
  })
})

describe("on the wire", () => {
  let sender: Sending
  let sink: NaiveSink
  beforeAll(async () => {
    sender = await newSending()
    await pool().query("UPDATE projects SET per_second_sends = 100000 WHERE id = $1", [sender.projectId])
    sink = await naiveSink()
    return () => sink.close()
  })
  beforeEach(() => {
    sink.mails.length = 0
  })
  const deliver = async (bodies: Record<string, unknown>[]) => {
    for (const body of bodies) await sendMail(sender, body)
    const relays = relayAt(sink.port)
    await deliverDue(relays)
    await relays.close()
  }

  const sequences = ["\n.\n", "\n.\r\n", "\r.\r\n", "\r\n.\n", "\r\n\0.\r\n", "\r\n.\r\n", "\r.\r", "\r\n.\r"]
  const smuggled =
    "MAIL FROM:<ceo@acme.test>\r\nRCPT TO:<victim@evil.test>\r\nDATA\r\nSubject: smuggled\r\n\r\nYou are fired."

  test.each(sequences)(
    "the server that takes %j for the end of a mail would find a second one, were the bytes sent as they are",
    async (sequence) => {
      const socket = connect(sink.port, "127.0.0.1")
      socket.write(
        `EHLO x\r\nMAIL FROM:<a@x>\r\nRCPT TO:<b@x>\r\nDATA\r\nSubject: a\r\n\r\na${sequence}${smuggled}\r\n.\r\nQUIT\r\n`,
      )
      await expect.poll(() => sink.mails.length).toBe(2)
      socket.destroy()
    },
  )

  test("text, html and files with those sequences are one message each, to one recipient", async () => {
    const bodies = sequences
      .filter((sequence) => !sequence.includes("\0"))
      .flatMap((sequence) => {
        const trick = `a${sequence}${smuggled}${sequence}b`
        const boundary = "--_mr_0\r\nContent-Type: text/html\r\n\r\n<script>"
        return [
          { text: trick },
          { html: trick },
          { text: trick, html: trick },
          { attachments: [{ ...file, content: Buffer.from(trick).toString("base64") }] },
          { text: `${boundary}${sequence}${boundary}--` },
        ]
      })
    await deliver(bodies)
    expect(sink.mails).toHaveLength(bodies.length)
    expect(new Set(sink.mails.map(({ to }) => to.join()))).toEqual(new Set(["TO:<ada@lovelace.example>"]))
    for (const { data } of sink.mails) expect(data.replaceAll("\r\n", "")).not.toMatch(/[\r\n\0]/)
    const nul = await api("POST /v1/emails", {
      key: sender.apiKey,
      body: { ...mail, from: `a@${sender.domain}`, text: `a\r\n\0.\r\n${smuggled}` },
    })
    expect(nul.status).toBe(400)
  })

  test("a body that quotes the boundary of an earlier message has exactly the parts that it was given", async () => {
    await deliver([{ text: "a", html: "<p>a</p>", attachments: [file] }])
    const boundaries = [...(sink.mails[0]?.data ?? "").matchAll(/boundary="([^"]+)"/g)].map(([, boundary]) => boundary)
    expect(boundaries.length).toBeGreaterThan(1)
    sink.mails.length = 0
    const forged = boundaries
      .map((boundary) => `\r\n--${boundary}\r\nContent-Type: application/x-evil\r\n\r\nevil\r\n--${boundary}--\r\n`)
      .join("")
    await deliver([{ text: forged, html: `<pre>${forged}</pre>`, attachments: [file] }])
    const parsed = await PostalMime.parse(sink.mails[0]?.data ?? "")
    expect(parsed.attachments.map(({ filename, mimeType }) => [filename, mimeType])).toEqual([["a.txt", "text/plain"]])
    expect(parsed.text).toContain("application/x-evil")
  })

  test("text that looks like a template arrives unchanged", async () => {
    const bomb = (level: number): string => (level === 0 ? "lol" : `{{#each a}}${bomb(level - 1)}{{/each}}`)
    const texts = [
      "{{constructor.constructor('return process')()}}",
      "${7*7}",
      "#{7*7}",
      "<%= 7*7 %>",
      "{{7*7}}",
      "*|7*7|*",
      "%7B%7B7*7%7D%7D",
      bomb(10),
    ]
    await deliver(
      texts.map((text) => ({ subject: text.slice(0, 200), text, html: `<p>${text.replaceAll("<", "&lt;")}</p>` })),
    )
    const arrived = await Promise.all(sink.mails.map(({ data }) => PostalMime.parse(data)))
    expect(arrived.map(({ text }) => text?.trim()).sort()).toEqual([...texts].sort())
    expect(arrived.map(({ subject }) => subject).sort()).toEqual(texts.map((text) => text.slice(0, 200)).sort())
  })
})
