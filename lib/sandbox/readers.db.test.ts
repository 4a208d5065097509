import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, afterEach, beforeEach, expect, test } from "vitest"
import {
  deliverDue,
  deliveryRows,
  emailRow,
  eventTypes,
  newSending,
  relayAt,
  sendMail,
  suppressedAddresses,
  type Sending,
} from "@/e2e/support/delivery/sending"
import type { Relays } from "@/lib/delivery/regions/relays"
import { newId } from "@/lib/platform/ids"
import { pool } from "@/lib/platform/database/db"
import { provideEnv } from "@/lib/platform/env/env"
import { openInbound, type Inbound } from "@/lib/inbound/server"
import { createReportAddresses } from "@/lib/inbound/run"
import { storeMails, claimMails } from "@/lib/inbound/mails-sql"
import { workOn } from "@/lib/inbound/jobs"
import { aggregateReports } from "@/lib/sandbox/return-mail"
import { createReaders, readerDelays, reporterDelays } from "@/lib/sandbox/readers"
import { openSandboxSmtp, type SandboxSmtp } from "@/lib/sandbox/smtp"
import { serveTracking } from "@/lib/tracking/serve/serve"
import { judgeAll } from "@/e2e/support/reader"

let web: Server
let smtp: SandboxSmtp
let inbound: Inbound
let relays: Relays
let sender: Sending
const usual = { ...readerDelays }
const usualReports = { ...reporterDelays }
const published = new Map<string, string[][]>()
const stop = new AbortController()

beforeEach(async () => {
  sender = await newSending()
  web = createServer((request, response) => void serveTracking(request, response))
  await new Promise<void>((listening) => web.listen(0, "127.0.0.1", listening))
  inbound = await openInbound({
    port: 0,
    host: "127.0.0.1",
    service: { serviceDomain: "mailroom.test", reportDomain: "dmarc.mailroom.test" },
    admitReports: createReportAddresses(),
    store: async (mail) => (await storeMails([mail]))[0] ?? "late",
  })
  const resolver = (name: string) => {
    const texts = published.get(name)
    return texts ? Promise.resolve(texts) : Promise.reject(Object.assign(new Error("none"), { code: "ENOTFOUND" }))
  }
  const readers = createReaders({
    port: (web.address() as AddressInfo).port,
    inboundPort: inbound.port,
    signal: stop.signal,
    resolver,
  })
  smtp = await openSandboxSmtp({ port: 0, serviceDomain: "mailroom.test", resolver, readers })
  relays = relayAt(smtp.port)
  provideEnv({ SANDBOX_SMTP_PORT: String(smtp.port) })
})
afterEach(async () => {
  Object.assign(readerDelays, usual)
  Object.assign(reporterDelays, usualReports)
  await relays.close()
  await smtp.close()
  await inbound.close()
  web.close()
})
afterAll(() => stop.abort())

async function sent(to: string) {
  const [emailId = ""] = await sendMail(sender, { to, html: '<p><a href="https://shop.example/">Open</a></p>' })
  await deliverDue(relays)
  return emailId
}

/** Judges what has come until the email has these events, which come by themselves. */
async function happens(emailId: string, types: string[], within = 8_000) {
  await expect
    .poll(async () => (await judgeAll(), await readReturned(), await eventTypes(emailId)), {
      timeout: within,
      interval: 100,
    })
    .toEqual(["queued", "sent", "delivered", ...types])
}

async function readReturned() {
  await Promise.all((await claimMails(10, 60_000)).map(workOn))
}

test("opened@ opens its email as a person, seconds after it was delivered, whatever the settings are", async () => {
  const emailId = await sent("opened+a@simulator.mailroom.test")
  await happens(emailId, ["opened"])
  expect((await emailRow(emailId)).status).toBe("opened")
  const { rows } = await pool().query("SELECT data FROM events WHERE email_id = $1 AND type = 'opened'", [emailId])
  expect(rows[0].data).toMatchObject({ simulator: "true", userAgent: expect.stringContaining("Simulator") })
  expect(rows[0].data).not.toHaveProperty("machine")
})

test("clicked@ opens its email and follows its link, too late to be taken for a machine", async () => {
  Object.assign(readerDelays, { openMs: 100, clickMs: 200 })
  const emailId = await sent("clicked@simulator.mailroom.test")
  await pool().query("UPDATE deliveries SET sent_at = now() - interval '12 seconds' WHERE email_id = $1", [emailId])
  expect(usual.clickMs).toBeGreaterThan(10_000)
  await happens(emailId, ["opened", "clicked"])
  expect((await emailRow(emailId)).status).toBe("clicked")
})

test("complained@ marks its email as spam by a report to our listener, once, and suppresses its labelled form alone", async () => {
  Object.assign(readerDelays, { complainMs: 100 })
  for (const to of ["complained@simulator.mailroom.test", "complained+a@simulator.mailroom.test"]) {
    const emailId = await sent(to)
    await happens(emailId, ["complained"])
    const [delivery] = await deliveryRows(emailId)
    expect({ emailRowStatus: (await emailRow(emailId)).status, deliveryStatus: delivery.status }).toEqual({
      emailRowStatus: "complained",
      deliveryStatus: "complained",
    })
  }
  expect(await suppressedAddresses(sender)).toEqual(["complained+a@simulator.mailroom.test"])
})

test("bounced-later@ takes its email and returns it to our listener, and suppresses its labelled form alone", async () => {
  Object.assign(readerDelays, { bounceMs: 100 })
  for (const to of ["bounced-later@simulator.mailroom.test", "bounced-later+a@simulator.mailroom.test"]) {
    const emailId = await sent(to)
    await happens(emailId, ["bounced"])
    const [delivery] = await deliveryRows(emailId)
    expect([(await emailRow(emailId)).status, delivery.status]).toEqual(["bounced", "bounced"])
    expect(delivery).toMatchObject({ bounce_type: "hard", bounce_code: "5.1.1" })
  }
  expect(await suppressedAddresses(sender)).toEqual(["bounced-later+a@simulator.mailroom.test"])
})

test("what came from a domain is reported to the address in its DMARC record, by mail and once, with what each message proved", async () => {
  Object.assign(reporterDelays, { firstMs: 5_000 })
  const token = newId().replaceAll("-", "").slice(0, 20)
  const { rows } = await pool().query<{ id: string; name: string }>(
    "SELECT id, name FROM domains WHERE project_id = $1",
    [sender.projectId],
  )
  const [{ id: domainId, name } = { id: "", name: "" }] = rows
  await pool().query(
    `INSERT INTO dmarc_tokens (organization_id, domain, token) SELECT organization_id, $2, $3 FROM projects WHERE id = $1
      ON CONFLICT (organization_id, domain) DO UPDATE SET token = $3`,
    [sender.projectId, name, token],
  )
  published.set(`_dmarc.${name}`, [
    [`v=DMARC1; p=quarantine; rua=mailto:elsewhere@other.example,mailto:${token}@dmarc.mailroom.test`],
  ])
  published.set(`${name}._report._dmarc.dmarc.mailroom.test`, [["v=DMARC1;"]])
  await sent("ada@lovelace.example")
  await sent("grace@hopper.example")
  const reports = async () =>
    (
      await pool().query("SELECT reporter, messages, aligned, policy, source FROM dmarc_reports WHERE domain_id = $1", [
        domainId,
      ])
    ).rows
  await expect
    .poll(async () => (await readReturned(), await reports()), { timeout: 20_000, interval: 100 })
    .toEqual([{ reporter: "simulator.mailroom.test", messages: 2, aligned: 0, policy: "quarantine", source: "mail" }])
})

test("a domain whose record names no address of ours, or that nobody lets report to us, gets no report", async () => {
  const mails = [{ headerFrom: "acme.example", ip: "127.0.0.1", verdicts: none }]
  const count = { domain: "acme.example", began: new Date(), ended: new Date(), mails }
  const of = (records: Record<string, string>) =>
    aggregateReports(
      count,
      (name) => (records[name] ? Promise.resolve([[records[name]]]) : Promise.reject(new Error("none"))),
      new Date(),
    )
  const record = (rua: string) => ({ "_dmarc.acme.example": `v=DMARC1; p=none; rua=mailto:${rua}` })
  const consent = { "acme.example._report._dmarc.dmarc.mailroom.test": "v=DMARC1;" }
  expect(await of({ ...record("a@dmarc.mailroom.test"), ...consent })).toHaveLength(1)
  expect(await of({ ...record("a@other.example"), ...consent })).toEqual([])
  expect(await of(record("a@dmarc.mailroom.test"))).toEqual([])
  expect(await of(consent)).toEqual([])
})

const none = { dkim: { result: "none" }, spf: { result: "none" }, dmarc: { result: "none" } }
