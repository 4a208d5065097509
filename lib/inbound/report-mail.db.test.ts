import { gzipSync } from "node:zlib"
import { zipSync } from "fflate"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { reportOf } from "@/e2e/support/domains/dmarc-reports"
import { addVerifiedDomain } from "@/e2e/support/examples"
import { mail } from "@/e2e/support/inbound/dialogue"
import { mailWith, reportAddress, reportMail, tlsReportOf } from "@/e2e/support/inbound/report-mail"
import { silentDns } from "@/e2e/support/silent-dns"
import { api, newKey, newWorld, type World } from "@/e2e/support/world"
import { storeMails, claimMails, rawOf } from "@/lib/inbound/mails-sql"
import { recordReport, workOn } from "@/lib/inbound/jobs"
import { createReportAddresses } from "@/lib/inbound/run"
import { openInbound, type Inbound } from "@/lib/inbound/server"
import { closeDatabase, pool } from "@/lib/platform/database/db"
import type { Dns } from "@/lib/platform/dns/dns"
import { Problem } from "@/lib/platform/http/problem"
import { encodeId, newId } from "@/lib/platform/ids"
import { readReturnedMail } from "@/lib/returns/read-returned-mail"

const domains = "/v1/projects/{projectId}/domains/{domainId}"

let inbound: Inbound
let world: World
let domain: string
let domainId: string
let address: string

const listen = (admitReports = createReportAddresses()) =>
  openInbound({
    port: 0,
    host: "127.0.0.1",
    service: { serviceDomain: "mailroom.test", reportDomain: "dmarc.mailroom.test" },
    admitReports,
    store: async (one) => (await storeMails([one]))[0] ?? "late",
    limits: { newPerAddressAndMinuteMax: 10_000 },
  })

beforeAll(async () => {
  inbound = await listen()
})
afterAll(async () => {
  await inbound.close()
  await closeDatabase()
})
beforeEach(async () => {
  world = await newWorld()
  domain = `acme-${world.projectId.slice(-12)}.test`
  domainId = await addVerifiedDomain(world, domain)
  address = await reportAddress(world.projectId, domain)
})

const call = (of = { key: world.apiKey, project: world.project, domainId }) => ({
  key: of.key,
  params: { projectId: of.project, domainId: of.domainId },
})
const dmarcReports = async (of?: Parameters<typeof call>[0]) =>
  (await api(`GET ${domains}/dmarc/reports`, call(of))).json.data
const tlsReports = async () => (await api(`GET ${domains}/tls-reports`, call())).json.data

/** Hands a mail to the listener by SMTP and works it off; what became of it. */
async function arrives(raw: Buffer, to = address): Promise<{ outcome: string; reason?: string }> {
  expect(await mail(inbound.port, to, raw, "noreply@receiver.test")).toBe("250 2.0.0 Stored")
  await workAll()
  return resultOf(to)
}

async function resultOf(to: string) {
  const { rows } = await pool().query(
    "SELECT outcome, reading->>'reason' AS reason FROM inbound_messages WHERE rcpt_to = $1 ORDER BY id DESC LIMIT 1",
    [to.toLowerCase()],
  )
  const { outcome, reason } = rows[0]
  return { outcome, ...(reason && { reason }) }
}

async function workAll(): Promise<void> {
  for (;;) {
    const claimed = await claimMails(100, 60_000)
    if (claimed.length === 0) return
    await Promise.all(claimed.map((mail) => untilRead(() => workOn(mail))))
  }
}

/** As the job does with a mail that a busy machine could not read in time: it is worked on again. */
async function untilRead(work: () => Promise<unknown>): Promise<void> {
  for (let again = 0; ; again++) {
    try {
      await work()
      return
    } catch (error) {
      if (!(error instanceof Problem && error.kind.status === 503) || again === 10) throw error
    }
  }
}

/** A DNS that has these TXT records and no others. */
function answering(texts: Record<string, string>): Dns {
  const txt: Dns["txt"] = async (name) =>
    texts[name] === undefined
      ? { kind: "missing", reason: "no-name", askedServers: [] }
      : { kind: "found", values: [texts[name]], askedServers: [] }
  return { ...silentDns, txt }
}

/** A further project of an organization, with the same domain. */
async function newProject(of: World) {
  const [projectId, tag] = [newId(), newId().slice(-12)]
  await pool().query(
    "INSERT INTO projects (id, organization_id, name, slug, region) VALUES ($1, $2, $3, $3, 'eu-west-1')",
    [projectId, of.organizationId, `project-${tag}`],
  )
  const key = await newKey(projectId)
  const project = { ...of, ...key, projectId, project: encodeId("proj", projectId) }
  return { key: key.apiKey, project: project.project, domainId: await addVerifiedDomain(project, domain) }
}

describe("the address for reports", () => {
  test("is taken at RCPT in any letter case; one that nobody has, and one of a deleted domain, are refused", async () => {
    const report = reportMail(reportOf({ domain }))
    expect(await arrives(report, address.toUpperCase())).toEqual({ outcome: "reported" })
    const [token = ""] = address.split("@")
    const wrong = (token.startsWith("a") ? "b" : "a") + token.slice(1)
    for (const to of [
      `${wrong}@dmarc.mailroom.test`,
      `${token}0@dmarc.mailroom.test`,
      `${token}+x@dmarc.mailroom.test`,
    ])
      expect(await mail(inbound.port, to, report)).toBe("550 5.1.1 No such address here")
    await api(`DELETE ${domains}`, call())
    const fresh = await listen()
    expect(await mail(fresh.port, address, report)).toBe("550 5.1.1 No such address here")
    await fresh.close()
  })

  test("takes so many mails and octets a day, then asks their senders to come back", async () => {
    const one = await listen(createReportAddresses({ mailsPerDay: 1, bytesPerDay: 1_000_000 }))
    expect(await mail(one.port, address, reportMail(reportOf({ domain })))).toBe("250 2.0.0 Stored")
    await one.close()
    for (const limits of [
      { mailsPerDay: 1, bytesPerDay: 1_000_000 },
      { mailsPerDay: 9, bytesPerDay: 500 },
    ]) {
      const full = await listen(createReportAddresses(limits))
      expect(await mail(full.port, address, reportMail(reportOf({ domain, reportId: "r2" })))).toBe(
        "452 4.2.2 This address has taken as much mail as it may",
      )
      await full.close()
    }
  })
})

describe("a DMARC report by mail", () => {
  test("is stored with how it came, who sent it and what its mail proves of the sender", async () => {
    const raw = reportMail(reportOf({ domain, records: [{ count: 5 }] }))
    expect(await mail(inbound.port, address, raw, "noreply@receiver.test")).toBe("250 2.0.0 Stored")
    const claimed = (await claimMails(100, 60_000, "reports")).find(({ rcptTo }) => rcptTo === address)
    if (!claimed) throw new Error("No mail was due.")
    const resolve = (name: string, type: string) =>
      name === "receiver.test" && type === "TXT"
        ? Promise.resolve([["v=spf1 ip4:127.0.0.1 -all"]])
        : name === "_dmarc.receiver.test" && type === "TXT"
          ? Promise.resolve([["v=DMARC1; p=reject"]])
          : Promise.reject(Object.assign(new Error("none"), { code: "ENOTFOUND" }))
    const read = readReturnedMail(await rawOf(claimed), claimed)
    expect(await recordReport(claimed, read, { resolve })).toBe("reported")
    expect(await dmarcReports()).toMatchObject([
      {
        ...{ reporter: "receiver.example", reportId: "r1", messages: 5, source: "mail" },
        sender: { address: "noreply@receiver.test", client: "127.0.0.1", dkim: "none", spf: "pass", dmarc: "pass" },
      },
    ])
  })

  test("counts once, whether it came by mail twice or was uploaded as well", async () => {
    const report = reportOf({ domain, records: [{ count: 3 }] })
    expect(await arrives(reportMail(report))).toEqual({ outcome: "reported" })
    const zipped = zipSync({ "report.xml": Buffer.from(report) })
    expect(await arrives(reportMail(zipped, { type: "application/zip", filename: "r.zip" }))).toEqual({
      outcome: "repeated",
    })
    const form = new FormData()
    form.append("files", new Blob([report]), "report.xml")
    expect((await api(`POST ${domains}/dmarc/reports`, { ...call(), rawBody: form })).json).toMatchObject({
      duplicates: 1,
    })
    expect(await dmarcReports()).toHaveLength(1)
    expect((await api(`GET ${domains}/dmarc/summary`, call())).json).toMatchObject({ reports: 1, messages: 3 })
  })

  test("reaches each registration of the domain in its organization, and none of another organization", async () => {
    const second = await newProject(world)
    const other = await newWorld()
    const foreign = { key: other.apiKey, project: other.project, domainId: await addVerifiedDomain(other, domain) }
    expect(await arrives(reportMail(reportOf({ domain })))).toEqual({ outcome: "reported" })
    expect(await dmarcReports()).toHaveLength(1)
    expect(await dmarcReports(second)).toHaveLength(1)
    expect(await dmarcReports(foreign)).toEqual([])
    // What one of them has already reaches the other one.
    const third = await newProject(world)
    const raw = mailWith([{ type: "text/xml", filename: "a.xml", content: Buffer.from(reportOf({ domain })) }])
    expect(await arrives(raw)).toEqual({ outcome: "reported" })
    expect(await dmarcReports(third)).toHaveLength(1)
  })

  test.each<[string, (report: string) => Buffer]>([
    ["plain", (xml) => mailWith([{ type: "text/xml", filename: "r.xml", content: Buffer.from(xml) }])],
    ["gzip under a general type", (xml) => reportMail(xml, { type: "application/octet-stream" })],
    ["a gzip with a newline behind it", (xml) => reportMail(Buffer.concat([gzipSync(xml), Buffer.from("\r\n")]))],
    [
      "a gzip with bytes behind its first member, as Mimecast sends",
      (xml) => reportMail(Buffer.concat([gzipSync(xml), Buffer.from([0x1f, 0x8b, 0, 1, 2, 3])])),
    ],
    [
      "a ZIP repacked on a Mac",
      (xml) =>
        reportMail(zipSync({ "r.xml": Buffer.from(xml), "__MACOSX/._r.xml": new Uint8Array(20) }), {
          type: "application/zip",
          filename: "r.zip",
        }),
    ],
    ["an empty org_name", (xml) => reportMail(xml.replace(/<org_name>[^<]*/, "<org_name>"))],
    ["a record without header_from", (xml) => reportMail(xml.replace(/<identifiers>.*<\/identifiers>/, ""))],
    ["a stray <xs:schema>", (xml) => reportMail(xml.replace("<report_metadata>", "<xs:schema><report_metadata>"))],
  ])("is read in an odd form: %s", async (_, mailOf) => {
    expect(await arrives(mailOf(reportOf({ domain, records: [{ count: 2 }] })))).toEqual({ outcome: "reported" })
    expect(await dmarcReports()).toMatchObject([{ messages: 2 }])
  })
})

describe("T111: archives by mail", () => {
  const packed = (content: Uint8Array, filename: string) => reportMail(content, { filename, type: "application/zip" })

  test("a gzip of 1 GB is refused", { timeout: 120_000 }, async () => {
    const piece = gzipSync(Buffer.alloc(2 ** 26, 0x20))
    const gigabyte = Buffer.concat(Array.from({ length: 16 }, () => piece))
    expect(await arrives(reportMail(gigabyte))).toEqual({ outcome: "refused", reason: "too_large" })
  })

  test("a ZIP in a ZIP and a ZIP with two reports are refused", async () => {
    const xml = Buffer.from(reportOf({ domain }))
    const nested = zipSync({ "r.zip": zipSync({ "r.xml": xml }) })
    expect(await arrives(packed(nested, "r.zip"))).toEqual({ outcome: "refused", reason: "archive" })
    const two = zipSync({ "a.xml": xml, "b.xml": xml })
    expect(await arrives(packed(two, "two.zip"))).toEqual({ outcome: "refused", reason: "archive" })
    expect(await dmarcReports()).toEqual([])
  })

  test("two reports in one mail, and none, are refused", async () => {
    const file = { type: "text/xml", filename: "r.xml", content: Buffer.from(reportOf({ domain })) }
    expect(await arrives(mailWith([file, file]))).toEqual({ outcome: "refused", reason: "several_reports" })
    expect(await arrives(mailWith([]))).toEqual({ outcome: "refused", reason: "no_report" })
  })
})

describe("T112: what reports by mail may hold", () => {
  test("entities and a document type are refused", async () => {
    const bomb = reportOf({ domain }).replace("<feedback>", '<!DOCTYPE f [<!ENTITY a "aaaa">]><feedback>')
    expect(await arrives(reportMail(bomb))).toEqual({ outcome: "refused", reason: "malformed" })
  })

  test("25,000 records are read, one more is refused", { timeout: 300_000 }, async () => {
    const records = Array.from({ length: 25_000 }, (_, nth) => ({ address: `192.0.2.${nth % 250}` }))
    expect(await arrives(reportMail(reportOf({ domain, records })))).toEqual({ outcome: "reported" })
    expect(await dmarcReports()).toMatchObject([{ messages: 25_000 }])
    const more = reportOf({ domain, reportId: "r2", records: [...records, {}] })
    expect(await arrives(reportMail(more))).toEqual({ outcome: "refused", reason: "too_large" })
  })

  test("a foreign domain, and a period in the future or long ago, are refused and stay", async () => {
    const other = `other-${domain}`
    expect(await arrives(reportMail(reportOf({ domain: other })))).toEqual({
      outcome: "refused",
      reason: "other_domain",
    })
    for (const daysAgo of [-3, 500])
      expect(await arrives(reportMail(reportOf({ domain, daysAgo })))).toEqual({
        outcome: "refused",
        reason: "other_period",
      })
    const { rows } = await pool().query("SELECT count(*)::int AS n FROM inbound_messages WHERE rcpt_to = $1", [address])
    expect(rows).toEqual([{ n: 3 }])
    expect(await dmarcReports()).toEqual([])
  })

  test("a __proto__ in a TLS report changes nothing and is dropped", async () => {
    const json = tlsReportOf({ domain, succeeded: 4 }).replace(
      "{",
      '{"__proto__":{"polluted":true,"policies":[]},"constructor":{"prototype":{"polluted":true}},',
    )
    expect(await arrives(tlsMail(json))).toEqual({ outcome: "reported" })
    expect(await tlsReports()).toMatchObject([{ succeeded: 4 }])
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })
})

describe("the state of reports by mail", () => {
  const state = async (dns = answering({})) =>
    (await api("GET /v1/projects/{projectId}/domains/{domainId}/report-mail", { ...call(), io: { dns } })).json

  test("has the address, whether the DNS has it, the last report, and why the last mail was not taken", async () => {
    const record = { name: `_smtp._tls.${domain}`, value: `v=TLSRPTv1; rua=mailto:${address}` }
    expect(await state()).toMatchObject({
      ...{ address, waiting: 0, refused: 0 },
      dmarc: { record: { name: `_dmarc.${domain}`, state: "published" } },
      tls: { record: { ...record, state: "missing" } },
    })
    await arrives(reportMail(reportOf({ domain })))
    await arrives(reportMail("<html/>"))
    const shown = await state(answering({ [record.name]: record.value }))
    expect(shown).toMatchObject({
      refused: 1,
      lastRefused: { from: "noreply@receiver.test", reason: "malformed" },
      dmarc: {
        last: { reporter: "receiver.example", sender: { address: "noreply@receiver.test", client: "127.0.0.1" } },
      },
      tls: { record: { state: "published" } },
    })
    expect(shown.tls).not.toHaveProperty("last")
  })

  test("counts what waits to be read, and shows nothing of it to another project", async () => {
    expect(await mail(inbound.port, address, reportMail(reportOf({ domain })))).toBe("250 2.0.0 Stored")
    expect(await state()).toMatchObject({ waiting: 1 })
    const other = await newWorld()
    const foreign = { key: other.apiKey, params: { projectId: other.project, domainId } }
    const answer = await api("GET /v1/projects/{projectId}/domains/{domainId}/report-mail", foreign)
    expect(answer.json).toMatchObject({ code: "domain.not_found" })
    await workAll()
  })
})

const tlsMail = (json: string, type = "application/tlsrpt+gzip") =>
  mailWith(
    [
      {
        type,
        filename: type.endsWith("gzip") ? "r.json.gz" : "r.json",
        content: type.endsWith("gzip") ? gzipSync(json) : Buffer.from(json),
      },
    ],
    "multipart/report; report-type=tlsrpt",
  )

describe("a TLS report by mail", () => {
  test("comes to the same address, packed or plain, and is stored once with who sent it", async () => {
    const json = tlsReportOf({ domain, succeeded: 90, failures: [{ result: "certificate-expired", sessions: 10 }] })
    expect(await arrives(tlsMail(json))).toEqual({ outcome: "reported" })
    expect(await arrives(tlsMail(json, "application/tlsrpt+json"))).toEqual({ outcome: "repeated" })
    expect(await tlsReports()).toMatchObject([
      {
        ...{ reporter: "Receiver Inc.", reportId: "t1", contact: "tls@receiver.test", succeeded: 90, failed: 10 },
        ...{ source: "mail", sender: { address: "noreply@receiver.test" } },
      },
    ])
  })

  test("about another domain is refused with its reason", async () => {
    expect(await arrives(tlsMail(tlsReportOf({ domain: "elsewhere.example" })))).toEqual({
      outcome: "refused",
      reason: "other_domain",
    })
  })
})
