import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { measured } from "@/e2e/support/measured"
import { compose } from "@/lib/delivery/message/compose"
import { filenameFault } from "@/lib/emails/message-rules"
import { attachmentAt, attachmentsIn, headersOf, replyAddressOf, textsOf } from "@/lib/received/read-received"

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

test("the text of 25 MB of HTML with styles that have no end is made within 500 ms of CPU", measured, () => {
  const raw = Buffer.from(`Content-Type: text/html\r\n\r\n${fill("<style><!--<title><script>&#65;")}`)
  const before = process.cpuUsage()
  textsOf(raw)
  const { user, system } = process.cpuUsage(before)
  expect((user + system) / 1_000, "milliseconds of CPU").toBeLessThan(500)
})

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

test("all that is shown of a mail of 25 MB with 12 levels of parts is read within 600 ms of CPU", measured, () => {
  let inner = `\r\n${fill("Hello\r\n")}`
  for (let level = 0; level < 12; level++)
    inner = `Content-Type: multipart/mixed; boundary=b${level}\r\n\r\n--b${level}\r\n${inner}\r\n--b${level}--\r\n`
  const raw = Buffer.from(`From: ada@lovelace.example\r\n${inner}`, "latin1")
  const before = process.cpuUsage()
  const shown = {
    ...{ texts: textsOf(raw), replyTo: replyAddressOf(raw) },
    ...{ headers: headersOf(raw), attachments: attachmentsIn(raw) },
  }
  const { user, system } = process.cpuUsage(before)
  expect({ replyTo: shown.replyTo, fields: shown.headers.length }).toEqual({
    replyTo: "ada@lovelace.example",
    fields: 2,
  })
  expect((user + system) / 1_000, "milliseconds of CPU").toBeLessThan(600)
})

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

test.each([
  ["", "Hi Ada"],
  [" \r\n\u00a0\r\n", "Hi Ada"],
  ["Hi in text", "Hi in text"],
])("the text of an email is that of its HTML where its text part is empty: %j", (plain, expected) => {
  const part = (type: string, body: string) => `--b\r\nContent-Type: ${type}; charset=utf-8\r\n\r\n${body}\r\n`
  const parts = `${part("text/plain", plain)}${part("text/html", "<p>Hi Ada</p>")}--b--\r\n`
  const raw = Buffer.from(`Content-Type: multipart/alternative; boundary=b\r\n\r\n${parts}`)
  expect(textsOf(raw).text.trim(), "the text").toBe(expected)
})

test.each([
  [["Hi", null, "Regards"], "Hi\nRegards"],
  [["", null, "Look at this"], "Look at this"],
  [[null, "Look at this"], "Look at this"],
])("the text of an email that was written around pictures, %j, is all of it", (written, expected) => {
  const parts = written.map((text) =>
    text === null ? "Content-Type: image/jpeg; name=a.jpg\r\n\r\nJPEG" : `Content-Type: text/plain\r\n\r\n${text}`,
  )
  const body = parts.map((part) => `--b\r\n${part}\r\n`).join("")
  const raw = Buffer.from(`Content-Type: multipart/mixed; boundary=b\r\n\r\n${body}--b--\r\n`)
  expect(textsOf(raw)).toEqual({ text: expected, replyText: expected, isCut: false })
})

test("a text file that is shown in its place is no text of the email, unless there is no other", () => {
  const file = "Content-Type: text/plain; name=log.txt\r\nContent-Disposition: inline; filename=log.txt\r\n\r\nERROR"
  const mail = (...parts: string[]) =>
    Buffer.from(
      `Content-Type: multipart/mixed; boundary=b\r\n\r\n${parts.map((part) => `--b\r\n${part}\r\n`).join("")}--b--\r\n`,
    )
  expect(textsOf(mail("Content-Type: text/plain\r\n\r\nSee the log.", file)).text).toBe("See the log.")
  expect(textsOf(mail("Content-Type: text/html\r\n\r\n<b>See it.</b>", file)).text).toBe("See it.")
  expect(textsOf(mail(file)).text).toBe("ERROR")
})

describe("the text of an email in HTML alone", () => {
  const text = (html: string) =>
    textsOf(
      Buffer.from(`From: ada@lovelace.example\r\nContent-Type: text/html; charset=utf-8\r\n\r\n${html}`),
    ).text.trim()

  test("has no styles, scripts, comments and titles in it", () => {
    const head = "<title>Mail</title><style>p { color: red }</style><script>x()</script>"
    expect(text(`<head>${head}</head><!-- <p>no</p> --><p>Hi Ada</p><!--[if mso]><b>no</b><![endif]-->`)).toBe("Hi Ada")
  })

  test("keeps what a style without an end has behind it", () => {
    expect(text("<p>Hi</p><style>p {}<p>Ada</p>")).toBe("Hi\np {}\nAda")
  })

  test("has the characters that HTML has names and numbers for", () => {
    const html =
      "M&uuml;ller &amp; S&ouml;hne&#8217;s&#x20;&Ouml;l: 5&nbsp;&euro;, &Eacute;t&eacute; &ndash; &lt;b&gt; &unknown; &#0; &#x110000;"
    expect(text(`<p>${html}</p>`)).toBe("Müller & Söhne’s Öl: 5 €, Été – <b> &unknown; \ufffd \ufffd")
  })
})

test.each([
  ["From: Ada <ada@lovelace.example>", "ada@lovelace.example"],
  ["From: Lovelace, Ada (Acme) <ada@lovelace.example>", "ada@lovelace.example"],
  ["From: ada@lovelace.example\r\nReply-To: Team: East <east@acme.example>, west@acme.example", "east@acme.example"],
  ["From: ada@lovelace.example\r\nReply-To: nobody", "ada@lovelace.example"],
  ["From: nobody", null],
])("an answer to a mail with %j goes to %s", (fields, address) => {
  expect(replyAddressOf(Buffer.from(`${fields}\r\n\r\nHi`)), "the address").toBe(address)
})

describe("the name of an attachment", () => {
  const named = (disposition: string, type = "application/pdf") =>
    attachmentsIn(Buffer.from(`From: ada@lovelace.example\r\nContent-Type: ${type}\r\n${disposition}\r\n\r\nx`))[0]
      ?.filename

  test.each([
    ["as Thunderbird and Apple Mail write it", "filename*=UTF-8''R%C3%A9sum%C3%A9.pdf", "Résumé.pdf"],
    ["beside one for old readers", `filename="R?sum?.pdf"; filename*=utf-8''R%C3%A9sum%C3%A9.pdf`, "Résumé.pdf"],
    [
      "in pieces that cut a character",
      "filename*0*=UTF-8''%D0%9E%D1;\r\n filename*1*=%82%D1%87%D1%91%D1%82;\r\n filename*2=.pdf",
      "Отчёт.pdf",
    ],
    ["in pieces out of order", 'filename*1="ly.pdf"; filename*0="month"', "monthly.pdf"],
    ["in another character set", "filename*=iso-8859-1'de'M%FCller.pdf", "Müller.pdf"],
    ["in encoded words", 'filename="=?UTF-8?B?UsOpc3Vtw6k=?= =?UTF-8?Q?=2Epdf?="', "Résumé.pdf"],
    ["with a percent sign of its own", 'filename="100%25.pdf"', "100%25.pdf"],
  ])("is read %s", (_, parameters, filename) => {
    expect(named(`Content-Disposition: attachment;\r\n ${parameters}`), "the name").toBe(filename)
  })

  test("is that of Content-Type where the disposition has none", () => {
    expect(named("X: y", "application/pdf; name*=UTF-8''R%C3%A9sum%C3%A9.pdf")).toBe("Résumé.pdf")
  })

  test("is the one that an email of this service was sent with, whatever it is", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: "grapheme", minLength: 1, maxLength: 100 }).filter((name) => filenameFault(name) === null),
        async (filename) => {
          const file = {
            filename,
            contentType: "application/pdf",
            content: Buffer.from("x"),
            disposition: "attachment" as const,
          }
          const raw = await compose({ ...message, attachments: [file] })
          expect(attachmentsIn(raw)[0]?.filename, "the name").toBe(filename)
        },
      ),
    )
  })
})

const message = {
  messageId: "<m1@acme.test>",
  date: new Date(0),
  from: { address: "hello@acme.test" },
  to: [{ address: "ada@lovelace.example" }],
  cc: [],
  subject: "Files",
  text: "Hi",
  headers: [],
}

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
