import { gzipSync } from "node:zlib"
import { expect, test } from "vitest"
import { measured } from "@/e2e/support/measured"
import { reportOf } from "@/e2e/support/domains/dmarc-reports"
import { DocumentRefused, readAllApart, readApart } from "@/lib/platform/documents/read-apart"

const bytes = (text: string) => Buffer.from(text)
const hostile: [string, () => Buffer][] = [
  [
    "an email of 900,000 short parts",
    () => bytes("Content-Type: multipart/mixed; boundary=a\r\n\r\n" + "--a\r\n\r\nx\r\n".repeat(900_000)),
  ],
  [
    "an email of 900,000 lines of flowed text",
    () => bytes("Content-Type: text/plain; format=flowed\r\n\r\n" + "short \r\n".repeat(900_000)),
  ],
  [
    "a gzip file of 14 kB with 1,400,000 elements beside the records",
    () =>
      gzipSync(
        reportOf({ domain: "acme.com" }).replace(
          "<policy_published>",
          `${"<a></a>".repeat(1_400_000)}<policy_published>`,
        ),
      ),
  ],
  [
    "a gzip file with 1,400,000 elements in one record",
    () => gzipSync(reportOf({ domain: "acme.com" }).replace("<record>", `<record>${"<a></a>".repeat(1_400_000)}`)),
  ],
]

test.each(hostile)(
  "%s ends within its 15 seconds of CPU, while this process does other work",
  measured,
  async (_, make) => {
    const document = make()
    let ticks = 0
    const timer = setInterval(() => (ticks += 1), 20)
    const startedAt = performance.now()
    const failure = await readApart("dmarc-report", document, "project").catch((error: unknown) => error)
    const took = performance.now() - startedAt
    clearInterval(timer)
    // Beside other tests a core is not its own: then the wall clock ends it, and the answer is to come again.
    const isBusy = (failure as { status?: number }).status === 503
    expect(isBusy || failure instanceof DocumentRefused, `a refusal: ${failure}`).toBe(true)
    expect(took, "milliseconds until it ended").toBeLessThan(isBusy ? 35_000 : 30_000)
    expect(ticks, "other turns of this process meanwhile").toBeGreaterThan(took / 20 / 4)
  },
)

test("a report is read as it is without a process of its own", async () => {
  const { report } = await readApart<{ report: { reportId: string; rows: unknown[] } }>(
    "dmarc-report",
    gzipSync(reportOf({ domain: "acme.com" })),
    "project",
  )
  expect(report.rows.length).toBeGreaterThan(0)
})

test("a refusal keeps its reason", async () => {
  await expect(readApart("dmarc-report", bytes("<html></html>"), "project")).rejects.toThrow(
    "The XML is not a DMARC aggregate report.",
  )
})

test("of many emails each has its own reading, though one takes more than its five seconds", measured, async () => {
  const [, hostileMail] = hostile[0] as [string, () => Buffer]
  const mail = (text: string) => bytes(`Subject: Hello\r\n\r\n${text}`)
  const after = Array.from({ length: 12 }, (_, nth) => `after it ${nth}`)
  const documents = [mail("before it"), hostileMail(), ...after.map(mail)]
  const readings = await readAllApart<{ text: string }>("sandbox-message", documents, "project")
  expect(readings.map((reading) => ("value" in reading ? reading.value.text.trim() : reading.refused))).toEqual([
    "before it",
    "The file could not be read within 5 seconds and 256 MB.",
    ...after,
  ])
})

test("of many reports one that is refused costs the others nothing", async () => {
  const documents = ["r0", "<html></html>", "r2"].map((id) =>
    bytes(id.startsWith("r") ? reportOf({ domain: "acme.com", reportId: id }) : id),
  )
  const readings = await readAllApart<{ report: { reportId: string } }>("dmarc-report", documents, "project")
  expect(readings.map((reading) => ("value" in reading ? reading.value.report.reportId : reading.refused))).toEqual([
    "r0",
    "The XML is not a DMARC aggregate report.",
    "r2",
  ])
})
