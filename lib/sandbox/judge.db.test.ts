import { afterAll, beforeAll, expect, test } from "vitest"
import { measured } from "@/e2e/support/measured"
import { judgeApart, judgeMessage } from "@/lib/sandbox/judge"
import { createZoneServer, type ZoneServer } from "@/lib/sandbox/zone"

const from = "From: Ada <ada@acme.test>\r\n"
const signature = (more = "", names = "from", form = "relaxed/relaxed") =>
  `DKIM-Signature: v=1; a=rsa-sha256; c=${form}; d=acme.test; s=s; h=${names}; ${more} bh=x; b=eA==\r\n`
/** Each has a body hash of its own. */
const signatures = (count: number, form?: string) =>
  Array.from({ length: count }, (_, nth) => signature(`l=${nth + 2 ** 30};`, "from", form)).join("")
const receivedSigned = (header: string, body = "Hello\r\n") => Buffer.from(`${from}${header}\r\n${body}`)
const kB = 1024

let zone: ZoneServer
beforeAll(async () => {
  const spf = { type: "TXT", value: "v=spf1 ip4:192.0.2.1 -all" } as const
  const lookup = async (name: string) => (name === "acme.test" ? [spf] : null)
  zone = await createZoneServer({ port: 0, zones: ["test"], lookup })
})
afterAll(async () => {
  await zone.close()
})

const message = (raw: Buffer) => ({
  raw,
  mailFrom: "ada@acme.test",
  ip: "192.0.2.1",
  helo: "acme.test",
  owner: "route",
})
const servers = () => ({ zones: ["test"], own: [{ host: "127.0.0.1", port: zone.port }], other: [] })
const judge = (raw: Buffer) =>
  judgeMessage(message(raw), async (name) => {
    if (name === "acme.test") return [["v=spf1 ip4:192.0.2.1 -all"]]
    throw Object.assign(new Error(name), { code: "ENOTFOUND" })
  })

const hostile: [string, () => Buffer][] = [
  ["1,900 semicolons in a signature", () => receivedSigned(signature(";".repeat(1_900)))],
  [
    "runs of 99 semicolons in six signatures",
    () => receivedSigned(signature(`${";".repeat(99)}a`.repeat(18)).repeat(6)),
  ],
  ["60 kB of semicolons in a signature", () => receivedSigned(signature(";".repeat(60 * kB)))],
  ["256 kB of semicolons in a signature", () => receivedSigned(signature(";".repeat(256 * kB)))],
  ["a field folded 15,000 times", () => receivedSigned(`X: a\r\n${" a\r\n".repeat(15_000)}${signature()}`)],
  [
    "ten fields folded 1,400 times",
    () =>
      receivedSigned(
        Array(10)
          .fill(`X-A: a\r\n${" a\r\n".repeat(1_400)}`)
          .join("") + signature(),
      ),
  ],
  ["a field folded 40,000 times", () => receivedSigned(`X: a\r\n${" a\r\n".repeat(40_000)}${signature()}`)],
  [
    "900 names and 90 fields",
    () => receivedSigned(signature("", Array(900).fill("b").join(":")) + "b:\r\n".repeat(90)),
  ],
  [
    "14,000 names and 8,000 fields",
    () => receivedSigned(signature("", Array(14_000).fill("b").join(":")) + "b:\r\n".repeat(8_000)),
  ],
  ["10,000 labels of a sender's domain", () => receivedSigned(`From: a@${"a.".repeat(10_000)}test\r\n${signature()}`)],
  ["10,000 senders", () => receivedSigned(`From: ${"a,".repeat(10_000)}\r\n${signature()}`)],
  [
    "5,000 characters of a sender's domain",
    () => {
      const characters = Array.from({ length: 5_000 }, (_, nth) => String.fromCodePoint(0x4e00 + nth)).join("")
      return receivedSigned(`From: a@${characters}.test\r\n${signature()}`)
    },
  ],
  ["1 MB of line feeds, with ten signatures", () => receivedSigned(signatures(10), "\n".repeat(1_024 * kB))],
  ["200 kB of lines without a carriage return", () => receivedSigned(signatures(6, "simple"), "x\n".repeat(100 * kB))],
  ["200 kB of lines that end with a blank", () => receivedSigned(signatures(6), "x \r\n".repeat(50 * kB))],
  ["200 kB in one line, with six signatures", () => receivedSigned(signatures(6), "x".repeat(200 * kB))],
  ["200 kB of runs of blanks", () => receivedSigned(signatures(6), `${" ".repeat(99)}x`.repeat(2 * kB))],
]

test.each(hostile)("%s takes this process less than 200 ms and never passes DKIM", measured, async (_, make) => {
  // What judges is loaded by then.
  await judge(receivedSigned(signature()))
  const raw = make()
  const before = process.cpuUsage()
  const verdicts = await judge(raw)
  const { user, system } = process.cpuUsage(before)
  expect((user + system) / 1_000, "milliseconds of CPU").toBeLessThan(200)
  expect(verdicts.dkim.result, "the result of DKIM").not.toBe("pass")
})

test("a mail with the long fields that Microsoft adds, and its signatures, is judged where it is", async () => {
  const added = `X-Microsoft-Antispam-Message-Info: ${"MgkX7/TqD2".repeat(500)}\r\n`
  const { spf } = await judge(receivedSigned(added + signatures(6)))
  // The installation's own DNS, which is asked apart, knows nothing of the domain.
  expect(spf.result).toBe("pass")
})

test("a mail that takes too much time to judge proves nothing, and one with a longer header than 64 kB is not judged", async () => {
  // Longer than a header that is judged: a fast machine takes less than its limit for 60 kB.
  const longest = await judgeApart(message(receivedSigned(signature(";".repeat(300 * kB)))), servers())
  expect(longest.dmarc).toEqual({ result: "permerror", info: "Judging took too long." })
  const longer = await judge(receivedSigned(signature(";".repeat(64 * kB))))
  expect(longer.spf).toEqual({ result: "permerror", info: "The header is longer than 64 kB." })
})

test("a mail that is judged in a process of its own has the verdicts that it has here", async () => {
  const raw = receivedSigned(signature())
  const apart = await judgeApart(message(raw), servers())
  expect(apart, "the verdicts apart").toEqual(await judge(raw))
  expect(apart.spf.result, "of SPF, for which the DNS was asked").toBe("pass")
})

test("a signature that names a length leaves the verdicts apart readable", async () => {
  const { dkim } = await judgeApart(message(receivedSigned(signatures(1))), servers())
  expect(dkim.result, "the result of DKIM").toBe("neutral")
})
