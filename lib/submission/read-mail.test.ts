import { expect, test } from "vitest"
import { parseMail } from "@/lib/submission/read-mail"

test.each([
  ["text/csv; charset=iso-8859-1", "latin1", "text/csv; charset=iso-8859-1"],
  ['text/html; charset="windows-1252"', "latin1", "text/html; charset=windows-1252"],
  ["text/csv; charset=utf-8", "utf8", "text/csv"],
  ["text/csv", "utf8", "text/csv"],
  ['text/csv; charset="a b"', "utf8", "text/csv"],
] as const)("a file of the type %s keeps its octets and their character set", async (type, encoding, contentType) => {
  const octets = Buffer.from("Müller;1\r\n", encoding)
  const part = (header: string, body: string) => `--b\r\nContent-Type: ${header}\r\n\r\n${body}\r\n`
  const header = `${type}\r\nContent-Disposition: attachment; filename=a.csv\r\nContent-Transfer-Encoding: base64`
  const parts = [part("text/plain; charset=iso-8859-1", "Hi"), part(header, octets.toString("base64"))].join("")
  const mail = await parseMail(
    Buffer.from(`From: a@acme.test\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${parts}--b--\r\n`),
  )
  expect(mail.attachments).toEqual([
    { filename: "a.csv", contentType, disposition: "attachment", content: octets.toString("base64") },
  ])
})
