import { createServer, type Server } from "node:https"
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { gunzipSync } from "node:zlib"
import { authenticate } from "mailauth"
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest"
import { createAuthority } from "@/e2e/support/delivery/authority"
import { type MailLab, startMailLab } from "@/e2e/support/delivery/mail-lab"
import { createRelays, type Relays } from "@/lib/delivery/regions/relays"
import { dayToReport, sendTlsReports } from "@/lib/delivery/tls-reports/send"
import { serviceKey, serviceKeyName, serviceKeyRecord } from "@/lib/domains/keys/data"
import { parseTlsReport } from "@/lib/domains/tls-reports/tls-report"
import { pool } from "@/lib/platform/database/db"
import { provideEnv } from "@/lib/platform/env/env"

// Reports about TLS to a real SMTP server and a real https server, by the records of a real name server (T120).

const service = "mail.test"
const day = new Date("2026-11-27")
const authority = createAuthority()
const uploads: { url: string; type: string; body: Buffer }[] = []

let lab: MailLab
let relays: Relays
let web: Server
let webUrl: string

beforeAll(async () => {
  lab = await startMailLab()
  web = createServer(authority.issue(["reports.test"]), (request, response) => {
    const chunks: Buffer[] = []
    request
      .on("data", (chunk: Buffer) => chunks.push(chunk))
      .on("end", () => {
        uploads.push({
          url: request.url ?? "",
          type: String(request.headers["content-type"]),
          body: Buffer.concat(chunks),
        })
        response.writeHead(request.url === "/broken" ? 503 : 201).end()
      })
  }).listen(0, "127.0.0.1")
  await once(web, "listening")
  webUrl = `https://reports.test:${(web.address() as AddressInfo).port}`
  lab.dns.answer("reports.test", "A", ["127.0.0.1"])
  provideEnv({ ...lab.variables, SERVICE_DOMAIN: service, DNS_SERVERS: `127.0.0.1:${lab.dns.port}` })
  relays = createRelays()
})

beforeEach(async () => {
  uploads.length = 0
  await pool().query("DELETE FROM tls_results")
  await pool().query("DELETE FROM tls_report_sends")
  await serviceRows("ok")
})

afterAll(async () => {
  await relays.close()
  web.close()
  await lab.close()
})

/** What the set-up found of the records of the service domain. */
async function serviceRows(state: "ok" | "wrong"): Promise<void> {
  await pool().query(
    `INSERT INTO setup_checks (key, state) SELECT 'service_' || kind, $1 FROM unnest('{domain,spf,dkim,dmarc,mx}'::text[]) kind
      ON CONFLICT (key, region, address) DO UPDATE SET state = excluded.state`,
    [state],
  )
}

/** Mail servers of a domain were connected to on that day, and its record says where reports go. */
async function counted(domain: string, rua?: string): Promise<void> {
  await pool().query(
    `INSERT INTO tls_results (day, domain, policy_type, policy, host, result, sessions) VALUES
      ($3, $1, 'no-policy-found', '{}', $2, 'success', 3),
      ($3, $1, 'no-policy-found', '{}', $2, 'starttls-not-supported', 2)`,
    [domain, `mx.${domain}`, day.toISOString()],
  )
  if (rua !== undefined) lab.dns.answer(`_smtp._tls.${domain}`, "TXT", [`v=TLSRPTv1; rua=${rua}`])
}

async function sendAll({ reportsPerDayMax = 5_000, networks = "127.0.0.0/8" } = {}) {
  provideEnv({ ALLOW_PRIVATE_MX: networks })
  const { signal } = new AbortController()
  const options = { relays, signal, day, reportsPerDayMax, ca: authority.certificate }
  while (await sendTlsReports(options));
  const { rows } = await pool().query<{ domain: string; status: string; target: string; diagnostic: string }>(
    "SELECT domain, status, target, diagnostic FROM tls_report_sends ORDER BY domain",
  )
  return rows
}

test("a day is reported from an hour after its end, when every worker has counted it", () => {
  expect(dayToReport(new Date("2026-11-29T00:59:59.999Z"))).toEqual(new Date("2026-11-27"))
  expect(dayToReport(new Date("2026-11-29T01:00:00.000Z"))).toEqual(new Date("2026-11-28"))
})

test("a domain that asks by https gets one report a day, whatever the number of workers", async () => {
  await counted("web.test", `${webUrl}/tls`)
  await counted("silent.test")
  await Promise.all([sendAll(), sendAll(), sendAll()])
  expect(await sendAll()).toEqual([
    { domain: "silent.test", status: "not_asked", target: null, diagnostic: null },
    { domain: "web.test", status: "sent", target: `${webUrl}/tls`, diagnostic: null },
  ])
  expect(uploads.map(({ url, type }) => ({ url, type }))).toEqual([{ url: "/tls", type: "application/tlsrpt+gzip" }])
  const report = parseTlsReport(gunzipSync(uploads[0]?.body ?? "").toString())
  expect(report).toMatchObject({ reporter: service, policies: [{ domain: "web.test", succeeded: 3, failed: 2 }] })
})

test("a domain that asks by mail gets a report that the service domain has signed, even where its TLS fails; that session is not counted", async () => {
  lab.dns.sign("asks.dane")
  lab.domain("asks.dane", [["mx.asks.dane", 10, "127.0.0.2"]])
  const impossible = { usage: 3, selector: 1, matchingType: 1, certificate: Buffer.alloc(32) }
  lab.dns.answer("_25._tcp.mx.asks.dane", "TLSA", [impossible])
  const server = await lab.faulty("127.0.0.2", {})
  await counted("asks.dane", "mailto:tls@asks.dane")
  expect(await sendAll()).toEqual([
    { domain: "asks.dane", status: "sent", target: "mailto:tls@asks.dane", diagnostic: null },
  ])
  expect(server.received).toEqual(
    expect.arrayContaining([expect.stringMatching(/^MAIL FROM:<>/), "RCPT TO:<tls@asks.dane>"]),
  )
  const [message = ""] = server.messages
  expect(message).toMatch(/^TLS-Report-Domain: asks\.dane\r?$/m)
  expect(message).toMatch(/^TLS-Report-Submitter: mail\.test\r?$/m)
  const attached = /application\/tlsrpt\+gzip[^]*?\r\n\r\n([^]*?)\r\n--/.exec(message)?.[1] ?? ""
  expect(parseTlsReport(gunzipSync(Buffer.from(attached, "base64")).toString()).policies).toMatchObject([
    { domain: "asks.dane", succeeded: 3, failed: 2 },
  ])
  const { domain, publicKey } = await serviceKey()
  const { dkim } = await authenticate(message, {
    resolver: async (name) => (name === serviceKeyName(domain) ? [[serviceKeyRecord(publicKey)]] : []),
    ...{ disableArc: true, disableBimi: true, disableDmarc: true },
  })
  expect(dkim.results[0]).toMatchObject({ signingDomain: service, status: { result: "pass" } })
  await relays.close()
  relays = createRelays()
  const { rows } = await pool().query("SELECT DISTINCT day::text FROM tls_results")
  expect(rows).toHaveLength(1)
})

test("T120: nobody is mailed who has no MX, nothing private is posted to, and what fails is recorded", async () => {
  const server = await lab.server("127.0.0.3")
  lab.dns.answer("victim.test", "A", ["127.0.0.3"])
  await counted("abuse-mail.test", "mailto:ceo@victim.test")
  await counted("abuse-plain.test", "http://victim.test/")
  await counted("abuse-web.test", `${webUrl}/secret`)
  await counted("broken.test", `${webUrl}/broken`)
  const guarded = await sendAll({ networks: "" })
  expect(guarded.map(({ domain, status }) => [domain, status])).toEqual([
    ["abuse-mail.test", "failed"],
    ["abuse-plain.test", "not_asked"],
    ["abuse-web.test", "failed"],
    ["broken.test", "failed"],
  ])
  expect(guarded[0]?.diagnostic).toBe("The domain of ceo@victim.test has no MX record.")
  expect(guarded[2]?.diagnostic).toContain("127.0.0.1")
  expect([server.connections(), uploads.length]).toEqual([0, 0])
  await pool().query("DELETE FROM tls_report_sends WHERE domain = 'broken.test'")
  expect((await sendAll()).at(-1)).toMatchObject({ status: "failed", diagnostic: "HTTP status 503" })
})

test("T120: in all a day has a number of reports at most, which domains that want none do not count for; none goes out before the service domain is set up", async () => {
  for (const domain of ["a.test", "c.test", "d.test"]) await counted(domain, `${webUrl}/${domain}`)
  await counted("b.test")
  await serviceRows("wrong")
  expect(await sendAll()).toEqual([])
  await serviceRows("ok")
  await sendAll({ reportsPerDayMax: 2 })
  expect(uploads.map(({ url }) => url).toSorted()).toEqual(["/a.test", "/c.test"])
})
