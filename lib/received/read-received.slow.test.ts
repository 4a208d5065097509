import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { measured } from "@/e2e/support/measured"
import { attachmentAt, attachmentsIn } from "@/lib/received/read-received"

const fileOf = (encoding: string, body: string) =>
  Buffer.from(
    `From: ada@lovelace.example\r\nContent-Type: application/pdf; name=a.pdf\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n${body}`,
    "latin1",
  )
const size = 24.9 * 2 ** 20
const fill = (text: string) => text.repeat(Math.floor(size / text.length))

const large: [string, string, string, number][] = [
  ["quoted-printable octets", "quoted-printable", "=41", 3],
  ["quoted-printable text", "quoted-printable", "A", 1],
  ["equals signs", "quoted-printable", "=", 1],
  ["equals signs before blanks", "quoted-printable", `=${" ".repeat(99)}`, 1],
  ["base64", "base64", `${"QUFB".repeat(19)}\r\n`, 78 / 57],
  ["no encoding", "8bit", "A", 1],
]

test.each(large)(
  "the attachments of a mail with 25 MB of %s are listed within 500 ms of CPU",
  measured,
  (_, encoding, body, share) => {
    const raw = fileOf(encoding, fill(body))
    const before = process.cpuUsage()
    const attachments = attachmentsIn(raw)
    const { user, system } = process.cpuUsage(before)
    expect(attachments, "the attachments").toEqual([
      {
        ...{ number: 1, filename: "a.pdf", contentType: "application/pdf" },
        size: Math.floor(fill(body).length / share),
      },
    ])
    expect((user + system) / 1_000, "milliseconds of CPU").toBeLessThan(500)
  },
)

describe("a quoted-printable attachment", () => {
  const decoded = (body: string) => attachmentAt(fileOf("quoted-printable", body), 1)?.bytes.toString("latin1")

  test.each([
    ["octets with upper-case and lower-case digits", "=C3=a9=0A", "\u00c3\u00a9\n"],
    ["soft line breaks, with blanks before them", "a=\r\nb=\nc= \t\r\nd", "abcd"],
    ["equals signs that quote nothing", "a=b==41=4= x=", "a=b=A=4= x="],
    ["what is not ASCII", "\u00fc=FC", "\u00fc\u00fc"],
  ])("keeps %s", (_, body, octets) => expect(decoded(body), "the octets").toBe(octets))

  test("has the octets that were quoted, whatever they are", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (octets) => {
        const quoted = Array.from(octets, (octet) => `=${octet.toString(16).padStart(2, "0")}`)
        expect(decoded(quoted.join("=\r\n")), "the octets").toBe(Buffer.from(octets).toString("latin1"))
      }),
    )
  })
})

describe("an email that is attached", () => {
  const inner =
    "From: eve@evil.example\r\nContent-Type: multipart/mixed; boundary=i\r\n\r\n--i\r\n\r\nHi\r\n--i\r\nContent-Type: image/png; name=a.png\r\n\r\nPNG\r\n--i--"
  const forwarded = (fields: string, body = inner) =>
    Buffer.from(
      `From: ada@lovelace.example\r\nContent-Type: multipart/mixed; boundary=o\r\n\r\n--o\r\n\r\nSee this.\r\n--o\r\n${fields}\r\n\r\n${body}\r\n--o--\r\n`,
    )

  test.each([
    ["Content-Type: message/rfc822", "message.eml"],
    ['Content-Type: message/rfc822; name="Re: Order.eml"', "Re: Order.eml"],
    ["Content-Type: message/rfc822\r\nContent-Disposition: attachment; filename=order.eml", "order.eml"],
  ])("is one attachment, with its octets as they came: %s", (fields, filename) => {
    const raw = forwarded(fields)
    expect(attachmentsIn(raw), "the attachments, without those inside it").toEqual([
      { number: 1, filename, contentType: "message/rfc822", size: inner.length },
    ])
    expect(attachmentAt(raw, 1), "the attachment that is given").toEqual({ filename, bytes: Buffer.from(inner) })
  })

  test("is decoded where it was sent as base64", () => {
    const fields = "Content-Type: message/rfc822\r\nContent-Transfer-Encoding: base64"
    const raw = forwarded(fields, Buffer.from(inner).toString("base64"))
    expect(attachmentAt(raw, 1)?.bytes.toString(), "the octets").toBe(inner)
  })
})
