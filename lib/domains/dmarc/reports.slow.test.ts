import { gzipSync } from "node:zlib"
import fc from "fast-check"
import { zipSync } from "fflate"
import { describe, expect, test } from "vitest"
import { parseReport, type ReportRow } from "@/lib/domains/dmarc/parse"
import { identityOf, kindOf, policyFor, tightening } from "@/lib/domains/dmarc/rules"
import { reportOf } from "@/e2e/support/domains/dmarc-reports"
import { ReportRefused, reportText } from "@/lib/domains/dmarc/unpack"

const bytes = (text: string) => new TextEncoder().encode(text)
const xml = reportOf({ domain: "acme.com" })
const empty = new Uint8Array()

/** A gzip file whose header has an extra field, a name, a comment and a checksum. */
function everyField(gzip: Uint8Array): Uint8Array {
  const header = Buffer.from(gzip.subarray(0, 10))
  header[3] = 2 + 4 + 8 + 16
  return Buffer.concat([header, bytes("\u0003\0abcr.xml\0note\0"), new Uint8Array(2), gzip.subarray(10)])
}

const refusal = (work: Promise<unknown>) =>
  work.then(
    () => "nothing was refused",
    (error: unknown) => (error instanceof ReportRefused ? error.message : `thrown: ${String(error)}`),
  )

function email(filename: string, type: string, content: Uint8Array): Uint8Array {
  const body = Buffer.from(content).toString("base64")
  return bytes(
    `From: a@b.example\r\nSubject: Report domain: acme.com\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\nContent-Type: text/plain\r\n\r\nThis is a report.\r\n--x\r\nContent-Type: ${type}\r\nContent-Disposition: attachment; filename="${filename}"\r\nContent-Transfer-Encoding: base64\r\n\r\n${body}\r\n--x--\r\n`,
  )
}

describe("a file with a report", () => {
  test.each<[string, Uint8Array]>([
    ["XML", bytes(xml)],
    ["XML with a byte order mark", bytes(`\ufeff${xml}`)],
    ["UTF-16", new Uint8Array(Buffer.from(`\ufeff${xml}`, "utf16le"))],
    ["gzip", gzipSync(xml)],
    ["ZIP", zipSync({ "receiver!acme.com!1!2.xml": bytes(xml) })],
    ["ZIP repacked on a Mac", zipSync({ "a/": empty, "a/r.xml": bytes(xml), "__MACOSX/a/._r.xml": bytes("Mac OS X") })],
    [
      "ZIP with what a file manager leaves",
      zipSync({ ".DS_Store": bytes("x"), "._r.xml": bytes("x"), "r.xml": bytes(xml) }),
    ],
    ["ZIP with a note beside it", zipSync({ "README.txt": bytes("x"), "r.xml": bytes(xml) })],
    ["gzip in two members", Buffer.concat([gzipSync(xml.slice(0, 300)), gzipSync(xml.slice(300))])],
    ["gzip with a line break behind it", Buffer.concat([gzipSync(xml), bytes("\r\n")])],
    ["gzip with zeros behind it", Buffer.concat([gzipSync(xml), new Uint8Array(512)])],
    ["gzip with other bytes behind it", Buffer.concat([gzipSync(xml), bytes("Mimecast")])],
    [
      "gzip with the start of a damaged member behind it",
      Buffer.concat([gzipSync(xml), gzipSync(xml).subarray(0, 40)]),
    ],
    ["gzip with every optional field in its header", everyField(gzipSync(xml))],
    ["XML with blank lines around it", bytes(`\n\n${xml}\n\0\0`)],
    ["an email with gzip", email("r.xml.gz", "application/gzip", gzipSync(xml))],
    ["gzip in ZIP", zipSync({ "r.xml.gz": gzipSync(xml) })],
    ["an email with ZIP of an unknown type", email("r.zip", "application/octet-stream", zipSync({ a: bytes(xml) }))],
  ])("is read as %s", async (_, file) => {
    expect((await parseReport(reportText(file))).rows).toHaveLength(1)
  })

  const bomb = new Uint8Array(50_000_000)
  test.each<[string, Uint8Array, RegExp]>([
    ["nothing", new Uint8Array(), /empty/],
    ["a picture", new Uint8Array([0x89, 0x50, 0x4e, 0x47, 1, 2, 3]), /neither XML/],
    ["an email without a report", bytes("From: a@b.example\r\n\r\nHello\r\n"), /neither XML/],
    ["a gzip bomb", gzipSync(bomb), /larger than 10 MB/],
    ["a ZIP bomb", zipSync({ "a.xml": bomb }), /larger than 10 MB/],
    ["a ZIP bomb that lies about its size", lying(zipSync({ "a.xml": bomb })), /neither XML nor JSON|larger/],
    [
      "a gzip bomb in many members",
      Buffer.concat(Array.from({ length: 6 }, () => gzipSync(bomb.subarray(0, 2_000_000)))),
      /larger than 10 MB/,
    ],
    ["a gzip file whose content was changed", changed(gzipSync(xml, { level: 0 })), /gzip file is damaged/],
    ["a gzip file without its name's end", everyField(gzipSync(xml)).subarray(0, 18), /gzip file is damaged/],
    ["gzip in too many members", Buffer.concat(Array.from({ length: 1_001 }, () => gzipSync("a"))), /too many members/],
    ["a damaged gzip file", gzipSync(xml).subarray(0, 60), /gzip file is damaged/],
    ["a damaged archive", zipSync({ "a.xml": bytes(xml) }).subarray(0, 60), /ZIP archive is damaged/],
    ["an archive with two files", zipSync({ "a.xml": bytes(xml), "b.xml": bytes(xml) }), /holds 2 files/],
    ["gzip in gzip in gzip", gzipSync(gzipSync(gzipSync(xml))), /too many times/],
    [
      "an email in an email",
      email("a.gz", "application/gzip", gzipSync(email("b", "text/xml", bytes(xml)))),
      /neither XML nor JSON/,
    ],
    [
      "an email with a message that is named like a report",
      email("r.xml", "message/rfc822", bytes(xml)),
      /neither XML/,
    ],
    ["ZIP in ZIP", zipSync({ "a.zip": zipSync({ "a.xml": bytes(xml) }) }), /packed in another/],
    ["ZIP in gzip", gzipSync(zipSync({ "a.xml": bytes(xml) })), /packed in another/],
    ["an email with two reports", twice(email("a.gz", "application/gzip", gzipSync(xml))), /several reports/],
  ])("is refused as %s", async (_, file, message) => {
    expect(await refusal(Promise.resolve().then(() => reportText(file)))).toMatch(message)
  })
})

/** The email with its attachment a second time. */
function twice(email: Uint8Array): Uint8Array {
  const [head = "", text = "", file = "", end = ""] = Buffer.from(email).toString("latin1").split("--x")
  return bytes([head, text, file, file, end].join("--x"))
}

test("T111: archives of a gigabyte are refused in less than 50 MB", () => {
  const zeros = Buffer.alloc(16 * 2 ** 20)
  const bombs = [
    gzipSync(Buffer.alloc(2 ** 28)),
    Buffer.concat(Array.from({ length: 64 }, () => gzipSync(zeros))),
    zipSync({ "a.xml": new Uint8Array(2 ** 27) }),
    lying(zipSync({ "a.xml": new Uint8Array(2 ** 27) })),
  ]
  for (const bomb of bombs) {
    const before = process.memoryUsage.rss()
    expect(() => reportText(bomb)).toThrow(ReportRefused)
    expect((process.memoryUsage.rss() - before) / 2 ** 20, "MB").toBeLessThan(50)
  }
})

test("a TLS report is no DMARC report", async () => {
  expect(await refusal(parseReport(reportText(bytes('{"report-id": "r1"}'))))).toMatch(/TLS report/)
})

describe("the XML of a report", () => {
  test("gives reporter, period, policy and one row for each record", async () => {
    const report = await parseReport(
      reportOf({
        domain: "Acme.com",
        reporter: "Smith &amp; Sons",
        policy: "quarantine",
        published: "<sp>reject</sp>",
        records: [
          {
            address: "2001:DB8::1",
            count: 7,
            dkim: "fail",
            spf: "fail",
            disposition: "quarantine",
            reason: "mailing_list",
          },
          {
            auth: "<dkim><domain>acme.com</domain><selector>mrABCDEFa</selector><result>pass</result></dkim><dkim><domain>x.example</domain><result>fail</result></dkim>",
          },
        ],
      }),
    )
    expect(report).toMatchObject({
      reporter: "Smith & Sons",
      reportId: "r1",
      policyDomain: "acme.com",
      policy: "quarantine",
      subdomainPolicy: "reject",
      rows: [
        { address: "2001:db8::1", messages: 7, dkim: false, spf: false, disposition: "quarantine", forwarded: true },
        { dkim: true, spf: true, dkimPassed: [{ domain: "acme.com", selector: "mrabcdefa" }], spfPassed: null },
      ],
    })
    expect(report.endedAt.getTime() - report.beganAt.getTime()).toBe(86_399_000)
  })

  test("may have the namespace and elements of RFC 9990", async () => {
    const report = await parseReport(
      xml
        .replace("<feedback>", '<feedback xmlns="urn:ietf:params:xml:ns:dmarc-2.0"><version>1.0</version>')
        .replace("<pct>100</pct>", "<np>none</np><testing>n</testing><discovery_method>treewalk</discovery_method>")
        .replace("<disposition>none", "<disposition>pass"),
    )
    expect(report.rows).toMatchObject([{ disposition: "none", dkim: true }])
  })

  const schema =
    '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="http://dmarc.org/dmarc-xml/0.1">'
  test.each<[string, string]>([
    ["around it", xml.replace("<feedback>", `${schema}<feedback>`) + "</xs:schema>"],
    ["opened before it alone", xml.replace("<feedback>", `${schema}<feedback>`)],
    ["opened in it alone", xml.replace("<feedback>", `<feedback>${schema}`)],
    ["closed in it alone", xml.replace("</feedback>", "</xs:schema></feedback>")],
    ["closed after it alone", `${xml}</xs:schema>`],
    ["in it, empty", xml.replace("<feedback>", '<feedback><xsd:schema xmlns:xsd="x"/>')],
  ])("is read with a stray schema %s", async (_, text) => {
    expect((await parseReport(text)).rows).toMatchObject([{ headerFrom: "acme.com" }])
  })

  test.each(["<org_name></org_name>", "<org_name/>", "<org_name>  </org_name>", ""])(
    "with the reporter as %j is from the domain of its address",
    async (name) => {
      const text = xml.replace(/<org_name>.*?<\/org_name>/, name).replace(/<email>.*?<\/email>/, "")
      const withAddress = text.replace(
        "<report_id>",
        "<email>Reports &lt;noreply@Receiver.Example&gt;</email><report_id>",
      )
      expect((await parseReport(withAddress)).reporter).toBe("receiver.example")
      expect(await refusal(parseReport(text))).toMatch(/both org_name and email/)
    },
  )

  test.each(["<header_from></header_from>", "<header_from/>", ""])(
    "counts a record with the sender %j for the domain with the policy",
    async (from) => {
      const text = xml.replace(/<header_from>.*?<\/header_from>/, from)
      expect((await parseReport(text)).rows).toMatchObject([{ headerFrom: "acme.com" }])
    },
  )

  test("with 20,000 records is read while others are served", async () => {
    const records = Array.from({ length: 20_000 }, (_, nth) => ({
      address: `10.${nth >> 16}.${(nth >> 8) & 255}.${nth & 255}`,
    }))
    let turns = 0
    const timer = setInterval(() => (turns += 1), 5)
    const { rows } = await parseReport(reportOf({ domain: "acme.com", records }))
    clearInterval(timer)
    expect(rows).toHaveLength(20_000)
    expect(turns).toBeGreaterThan(20)
  })

  test.each<[string, string, RegExp]>([
    ["other XML", "<html><body/></html>", /not a DMARC aggregate report/],
    ["cut short", xml.slice(0, -12), /not well-formed/],
    [
      "an external entity",
      xml.replace("<feedback>", '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><feedback>'),
      /document type/,
    ],
    [
      "an entity bomb",
      `<!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY lol2 "&lol;&lol;">]><feedback>&lol2;</feedback>`,
      /document type/,
    ],
    ["no records", xml.replace(/<record>[^]*<\/record>/, ""), /no records/],
    ["no id", xml.replace("<report_id>r1</report_id>", ""), /report_id/],
    ["no period", xml.replace(/<date_range>.*<\/date_range>/, ""), /date_range/],
    ["a period that is no time", xml.replace(/<begin>\d+/, "<begin>soon"), /usable begin/],
    ["a period that ends first", xml.replace(/<end>\d+/, "<end>1"), /ends before/],
    ["no address", xml.replace("192.0.2.1", "localhost"), /no IP address/],
    ["a count below nothing", xml.replace("<count>1", "<count>-1"), /usable count/],
    ["a count beyond belief", xml.replace("<count>1", "<count>99999999999"), /usable count/],
    ["deep nesting", xml.replace("<count>1</count>", "<a>".repeat(200) + "</a>".repeat(200)), /not well-formed/],
  ])("is refused with %s", async (_, text, message) => {
    expect(await refusal(parseReport(text))).toMatch(message)
  })

  test("never throws anything but a refusal, however it is mutated", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(xml.length),
        fc.nat(40),
        fc.constantFrom("", "<", ">", "</record>", "<record>", "&", "]]>", "<!--", "\0", "<dkim/>"),
        async (at, cut, text) => {
          expect(await refusal(parseReport(xml.slice(0, at) + text + xml.slice(at + cut)))).not.toMatch(/^thrown/)
        },
      ),
      { numRuns: 500 },
    )
  })
})

function changed(bytes: Uint8Array): Uint8Array {
  const copy = new Uint8Array(bytes)
  copy[200] = 0x41 ^ (copy[200] ?? 0)
  return copy
}

/** Both headers of the entry say that it holds 100 bytes. */
function lying(archive: Uint8Array): Uint8Array {
  const copy = Buffer.from(archive)
  copy.writeUInt32LE(100, 22)
  copy.writeUInt32LE(100, copy.indexOf(Buffer.from("PK\u0001\u0002")) + 24)
  return copy
}

const sender = { domain: "acme.com", mailFromDomain: "send.acme.com", selectors: ["mrabcdefa", "mrabcdefb"] }
const row: ReportRow = {
  address: "192.0.2.1",
  messages: 1,
  disposition: "none",
  dkim: true,
  spf: false,
  headerFrom: "acme.com",
  forwarded: false,
  dkimPassed: [],
  spfPassed: null,
}

describe("a source", () => {
  test.each<[string, Partial<ReportRow>, string]>([
    ["service", { dkimPassed: [{ domain: "acme.com", selector: "mrabcdefb" }] }, "a key of this registration"],
    ["service", { dkim: false, spf: true, spfPassed: "send.acme.com" }, "its MAIL FROM domain"],
    ["authorized", { dkimPassed: [{ domain: "acme.com", selector: "google" }] }, "another key of the domain"],
    ["authorized", { dkimPassed: [{ domain: "evil.example", selector: "mrabcdefa" }] }, "a selector of ours elsewhere"],
    ["forwarder", { dkim: false, forwarded: true }, "a forwarder, by the receiver"],
    ["unknown", { dkim: false, spfPassed: "send.acme.com" }, "nothing that is aligned"],
  ])("is %s with %j: %s", (kind, change) => {
    expect(kindOf({ ...row, ...change }, sender)).toBe(kind)
  })

  test("is named by a domain that it proved, first by another than the one in From", () => {
    expect(identityOf({ ...row, spfPassed: "bounce.mailer.example" })).toBe("bounce.mailer.example")
    expect(
      identityOf({ ...row, spfPassed: "acme.com", dkimPassed: [{ domain: "mailer.example", selector: "s" }] }),
    ).toBe("mailer.example")
    expect(identityOf({ ...row, spfPassed: "acme.com" })).toBe("acme.com")
    expect(identityOf(row)).toBeNull()
  })
})

test("a domain below the one with the policy has the policy for subdomains", () => {
  const published = { policyDomain: "acme.com", policy: "none", subdomainPolicy: "reject" } as const
  expect(policyFor("acme.com", published)).toBe("none")
  expect(policyFor("mail.acme.com", published)).toBe("reject")
  expect(policyFor("mail.acme.com", { ...published, subdomainPolicy: null })).toBe("none")
})

describe("a stricter policy", () => {
  const good = { days: 30, observed: 1_000, aligned: 980, unknownNames: [] }
  test("is safe after 30 days in which 98 % passed, one step at a time", () => {
    expect(tightening("none", good)).toMatchObject({ next: "quarantine", safe: true })
    expect(tightening("quarantine", good)).toMatchObject({ next: "reject", safe: true })
    expect(tightening("quarantine", good).reason).toMatch(/mailing lists/)
    expect(tightening("reject", good)).not.toHaveProperty("next")
  })

  test("is not safe a day or a message earlier, and unknown sources are named", () => {
    expect(tightening("none", { ...good, days: 29 })).toMatchObject({
      safe: false,
      reason: expect.stringMatching(/29 of the 30/),
    })
    const short = tightening("none", { ...good, aligned: 979, unknownNames: ["192.0.2.9"] })
    expect(short).toMatchObject({ safe: false, reason: expect.stringMatching(/97\.9%.*192\.0\.2\.9/) })
    expect(tightening("none", { days: 30, observed: 0, aligned: 0, unknownNames: [] }).safe).toBe(false)
  })
})
