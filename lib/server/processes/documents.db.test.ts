import { expect, test } from "vitest"
import { measured } from "@/e2e/support/measured"
import { readHtml, readMessage } from "@/lib/sandbox/message"
import { readMail } from "@/lib/submission/read-mail"

const size = 64 * 1024 - 100
const fill = (text: string) => text.repeat(Math.floor(size / text.length))
const mail = (header: string, body: string) => Buffer.from(`From: ada@lovelace.example\r\n${header}\r\n${body}`)

const hostile: [string, () => Buffer][] = [
  ["empty lines", () => mail("", fill("\n"))],
  ["empty lines of HTML", () => mail("Content-Type: text/html\r\n", fill("\n"))],
  ["short parts", () => mail("Content-Type: multipart/mixed; boundary=a\r\n", fill("--a\r\n\r\nx\r\n"))],
  ["lines of flowed text", () => mail("Content-Type: text/plain; format=flowed\r\n", fill("x \r\n"))],
]

test.each(hostile)(
  "a message of 64 kB of %s takes this process less than 200 ms, whoever reads it",
  measured,
  async (_, make) => {
    const raw = make()
    for (const read of [readMail, readMessage, readHtml]) {
      const before = process.cpuUsage()
      // What it says is read, or refused.
      await read(raw, "project").catch(() => undefined)
      const { user, system } = process.cpuUsage(before)
      expect((user + system) / 1_000, `milliseconds of CPU in ${read.name}`).toBeLessThan(200)
    }
  },
)
