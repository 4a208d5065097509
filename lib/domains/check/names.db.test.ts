import { readFileSync } from "node:fs"
import fc from "fast-check"
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest"
import { takeNotices } from "@/e2e/support/access/notices"
import { checkDueDomains } from "@/lib/domains/check/worker"
import { newStage, type Registered, type Stage, type Wire } from "@/e2e/support/domains/stage"
import { pool } from "@/lib/platform/database/db"
import { statementsOf } from "@/lib/platform/database/migrations"
import { provideEnv } from "@/lib/platform/env/env"
import { assertInTime } from "@/e2e/support/properties"

/** What a domain must publish follows the installation's names: SERVICE_DOMAIN, REPORT_DOMAIN and the region's relay. */
const day = 24 * 3_600_000
const relay = "smtp://127.0.0.1:9?tls=none&delivered=never"
const ses = (awsRegion: string) => `ses://KEY:SECRET@${awsRegion}`
let stage: Stage

beforeAll(async () => {
  stage = await newStage(1, { timeoutMs: 2_000, totalMs: 4_500 })
})
beforeEach(() => {
  rename()
  stage.reset()
})
afterEach(() => rename())
afterAll(() => stage.close())

/** A restart of the installation under other names, whose operator publishes what it needs. */
function rename({ service = "", report = "", smtp = "" } = {}) {
  provideEnv({ SERVICE_DOMAIN: service, REPORT_DOMAIN: report, SMTP_URL_EU_WEST_1: smtp, SMTP_URL: smtp })
  if (service === "") return
  const [server] = stage.servers
  server?.answer("amazonses.com", "TXT", ["v=spf1 ip4:192.0.2.99 -all"])
  server?.answer(`spf.eu-west-1.${service.toLowerCase()}`, "TXT", ["v=spf1 ip4:192.0.2.25 -all"])
  server?.answer(`acme.com._report._dmarc.${(report || `dmarc.${service}`).toLowerCase()}`, "TXT", ["v=DMARC1;"])
}

const get = async ({ call }: Registered) => (await call("GET /v1/projects/{projectId}/domains/{domainId}")).json
const verify = async ({ call }: Registered) =>
  (await call("POST /v1/projects/{projectId}/domains/{domainId}/verify")).json
const diagnosis = async ({ call }: Registered) =>
  (await call("GET /v1/projects/{projectId}/domains/{domainId}/diagnosis")).json

function shown({ verificationRecords: { dkim, ...records } }: Awaited<ReturnType<typeof get>>): Wire[] {
  return [...dkim, ...Object.values(records as Record<string, Wire>)]
}
const mailFrom = (domain: Awaited<ReturnType<typeof get>>) => {
  const { mailFromMx, mailFromSpf } = domain.verificationRecords
  return [mailFromMx, mailFromSpf]
}

test("a domain that was added before the installation had a name verifies with what its page shows after the restart", async () => {
  const domain = await stage.registered()
  expect(domain.records.mailFromMx.value).toBe("feedback.eu-west-1.mailroom.test")
  await verify(domain)
  rename({ service: "mail.acme-shop.example", smtp: relay })

  const after = await get(domain)
  expect(shown(after).map(({ value }) => value)).toEqual([
    ...domain.records.dkim.map(({ value }) => value),
    "feedback.eu-west-1.mail.acme-shop.example",
    "v=spf1 include:spf.eu-west-1.mail.acme-shop.example ~all",
    expect.stringMatching(/^v=DMARC1; p=none; rua=mailto:\w+@dmarc\.mail\.acme-shop\.example$/),
    "track.mail.acme-shop.example",
  ])
  expect(after).toMatchObject({ status: "pending", transport: "smtp" })
  const zone = await domain.call("GET /v1/projects/{projectId}/domains/{domainId}/zone-file")
  expect(JSON.stringify(zone)).not.toContain("mailroom.test")
  const { records } = await diagnosis(domain)
  expect(records.map(({ expected }: { expected: string }) => expected)).toEqual(shown(after).map(({ value }) => value))

  stage.publish(shown(after))
  const verified = await verify(domain)
  expect(verified.status).toBe("verified")
  for (const record of shown(verified)) expect(record).toMatchObject({ status: "verified" })
})

test("a changed name makes the worker check at once, however long the next check was away", async () => {
  const domain = await stage.registered()
  rename({ service: "first.example", smtp: relay })
  stage.publish(shown(await get(domain)))
  await pool().query("UPDATE domains SET due_at = now() + interval '6 hours' WHERE id = $1", [domain.id])
  expect(await checkDueDomains(stage.io)).toBeGreaterThan(0)
  expect((await get(domain)).status).toBe("verified")
})

test("a verified domain stays verified for 14 days with the old records, says what is new, and tells its owners once", async () => {
  rename({ service: "old.example", smtp: relay })
  const domain = await stage.registered()
  const old = shown(await get(domain))
  stage.publish(old)
  expect((await verify(domain)).status).toBe("verified")

  rename({ service: "new.example", smtp: relay })
  // Before any check: nothing is called wrong, and the new values are there.
  const before = await get(domain)
  expect({ status: before.status, mailFromStatus: before.mailFromStatus, spfStatus: before.spfStatus }).toEqual({
    status: "verified",
    mailFromStatus: "verified",
    spfStatus: "verified",
  })
  for (const record of mailFrom(before))
    expect(record).toMatchObject({ status: "pending", oldValue: expect.stringContaining("old.example") })
  for (const record of mailFrom(before)) expect(record.likelyCause).toBeUndefined()

  const checked = await verify(domain)
  expect({ status: checked.status, mailFromStatus: checked.mailFromStatus }).toEqual({
    status: "verified",
    mailFromStatus: "verified",
  })
  expect(Date.parse(checked.oldRecordsCountUntil) - stage.time.now).toBe(14 * day)
  for (const record of mailFrom(checked)) {
    expect(record).toMatchObject({ status: "pending", likelyCause: { code: "names-changed" } })
    expect(record.value).toContain("new.example")
    expect(record.oldValue).toContain("old.example")
  }
  const [notice, ...more] = await takeNotices(domain.world)
  expect({ subject: notice?.email?.subject, more }).toEqual({
    subject: "DNS records of acme.com have new values",
    more: [],
  })
  for (const record of mailFrom(checked)) expect(notice?.email?.text).toContain(record.value)
  expect(notice?.email?.text).toContain("_dmarc.acme.com TXT v=DMARC1; p=none; rua=")

  stage.time.now += 13 * day
  expect((await verify(domain)).status).toBe("verified")
  // A name server that is silent for a while changes nothing.
  stage.servers[0]?.fault("send.acme.com", "SERVFAIL")
  expect((await verify(domain)).status).toBe("verified")
  stage.servers[0]?.forgetAll()
  rename({ service: "new.example", smtp: relay })
  stage.publish(old)
  stage.time.now += 2 * day
  const late = await verify(domain)
  expect({
    status: late.status,
    mailFromStatus: late.mailFromStatus,
    oldRecordsCountUntil: late.oldRecordsCountUntil,
  }).toEqual({ status: "degraded", mailFromStatus: "pending", oldRecordsCountUntil: undefined })
  expect((await takeNotices(domain.world)).map(({ email }) => email?.subject)).toEqual([
    "DNS records of acme.com are missing",
  ])
  stage.publish(shown(late))
  const back = await verify(domain)
  expect({ status: back.status, oldRecordsCountUntil: back.oldRecordsCountUntil }).toEqual({
    status: "verified",
    oldRecordsCountUntil: undefined,
  })
  for (const record of shown(back)) expect(record).not.toHaveProperty("oldValue")
})

const installations = {
  relay: { service: "mail.example", smtp: relay },
  direct: { service: "mail.example", smtp: "direct:" },
  "SES in Ireland": { service: "mail.example", smtp: ses("eu-west-1") },
  "SES in Frankfurt": { service: "mail.example", smtp: ses("eu-central-1") },
  "SES under another name": { service: "new.example", smtp: ses("eu-west-1") },
}

test.each<[keyof typeof installations, keyof typeof installations, string[]]>([
  ["relay", "SES in Ireland", ["mailFromMx", "mailFromSpf"]],
  ["relay", "SES under another name", ["mailFromMx", "mailFromSpf"]],
  ["SES in Ireland", "relay", ["mailFromMx", "mailFromSpf"]],
  ["SES in Ireland", "direct", ["mailFromMx", "mailFromSpf"]],
  ["SES in Ireland", "SES in Frankfurt", ["mailFromMx"]],
])(
  "from %s to %s a verified domain stays so for 14 days, and its owners are told once of %s",
  async (from, to, names) => {
    rename(installations[from])
    const domain = await stage.registered()
    const old = await get(domain)
    stage.publish(shown(old))
    expect((await verify(domain)).status).toBe("verified")
    // The worker knows the names from before the restart.
    await checkDueDomains(stage.io)

    rename(installations[to])
    const before = await get(domain)
    const zone = await domain.call("GET /v1/projects/{projectId}/domains/{domainId}/zone-file")
    for (const name of names) {
      const { value } = old.verificationRecords[name]
      expect(before.verificationRecords[name], `${name} before the check`).toMatchObject({
        status: "pending",
        oldValue: value,
      })
      expect(before.verificationRecords[name].likelyCause, `the cause of ${name} before the check`).toBeUndefined()
      expect(JSON.stringify(zone), `${name} in the zone file`).not.toContain(
        `already published: ${before.verificationRecords[name].found[0]}`,
      )
    }
    expect(before.status).toBe("verified")

    await pool().query("UPDATE domains SET due_at = now() + interval '6 hours' WHERE id = $1", [domain.id])
    expect(await checkDueDomains(stage.io), "domains that the worker checks at once").toBeGreaterThan(0)
    const checked = await get(domain)
    expect({ status: checked.status, mailFromStatus: checked.mailFromStatus }).toEqual({
      status: "verified",
      mailFromStatus: "verified",
    })
    expect(Date.parse(checked.oldRecordsCountUntil) - stage.time.now).toBe(14 * day)
    for (const name of ["mailFromMx", "mailFromSpf"])
      expect(checked.verificationRecords[name], `${name} after the check`).toMatchObject(
        names.includes(name)
          ? { status: "pending", likelyCause: { code: "names-changed" } }
          : { status: "verified", value: old.verificationRecords[name].value },
      )

    stage.time.now += 13 * day
    expect((await verify(domain)).status, "after 13 days").toBe("verified")
    const [notice, ...more] = await takeNotices(domain.world)
    expect({ subject: notice?.email?.subject, more }).toEqual({
      subject: "DNS records of acme.com have new values",
      more: [],
    })
    for (const name of names) expect(notice?.email?.text).toContain(checked.verificationRecords[name].value)

    stage.time.now += 2 * day
    expect((await verify(domain)).status, "after 15 days").toBe("degraded")
    stage.publish(mailFrom(await get(domain)))
    const after = await verify(domain)
    expect(after.status, "with the new records").toBe("verified")
    for (const record of mailFrom(after)) expect(record).not.toHaveProperty("oldValue")
  },
)

test("a verified domain without its old records is degraded as before, and the return of the old name needs nothing", async () => {
  rename({ service: "old.example", smtp: relay })
  const domain = await stage.registered()
  const old = shown(await get(domain))
  stage.publish(old)
  await verify(domain)
  rename({ service: "new.example", smtp: relay })
  stage.servers[0]?.forgetAll()
  expect((await verify(domain)).status).toBe("degraded")
  rename({ service: "old.example", smtp: relay })
  stage.publish(old)
  const again = await verify(domain)
  expect(again.status).toBe("verified")
  for (const record of shown(again)) expect(record).toMatchObject({ status: "verified" })
})

test("a changed report domain alone changes the DMARC record, without a second address of ours", async () => {
  rename({ service: "mail.example", smtp: relay })
  const domain = await stage.registered()
  stage.publish(shown(await get(domain)))
  await verify(domain)
  rename({ service: "mail.example", report: "reports.example", smtp: relay })
  const { status, verificationRecords } = await verify(domain)
  expect(status).toBe("verified")
  expect(verificationRecords.dmarcRecommended).toMatchObject({
    value: expect.stringMatching(/^v=DMARC1; p=none; rua=mailto:\w+@reports\.example$/),
    status: "pending",
    likelyCause: { code: "dmarc-rua-missing" },
  })
  expect((await takeNotices(domain.world)).map(({ email }) => email?.subject)).toEqual([
    "DNS records of acme.com have new values",
  ])
})

test("a row of the version before, which stored names and values, works as if it were of this one", async () => {
  const domain = await stage.registered()
  const records = [
    ...domain.records.dkim.map((record, at) => ({ key: at === 0 ? "dkim-a" : "dkim-b", ...record })),
    { key: "mail-from-mx", ...domain.records.mailFromMx },
    { key: "mail-from-spf", ...domain.records.mailFromSpf },
    {
      ...{ key: "dmarc", name: "_dmarc.acme.com", type: "TXT", optional: true, found: ["v=DMARC1; p=reject"] },
      ...{ status: "pending", value: "v=DMARC1; p=reject; rua=mailto:x@dmarc.mailroom.test" },
    },
    { key: "tracking", ...domain.records.trackingCname },
  ].map((record) => ({ found: [], ...record }))
  await pool().query(
    `UPDATE domains SET records = $2, dmarc_status = 'verified', checked_service_domain = 'mailroom.test',
      checked_report_domain = 'dmarc.mailroom.test' WHERE id = $1`,
    [domain.id, JSON.stringify(records)],
  )
  expect((await get(domain)).verificationRecords.dmarcRecommended.value).toMatch(/^v=DMARC1; p=reject; rua=mailto:/)
  rename({ service: "mail.example", smtp: relay })
  stage.servers[0]?.answer("_dmarc.acme.com", "TXT", ["v=DMARC1; p=reject"])
  const after = await get(domain)
  expect(after.verificationRecords.mailFromMx.value).toBe("feedback.eu-west-1.mail.example")
  stage.publish(shown(after))
  expect((await verify(domain)).status).toBe("verified")
})

test.each(["relay", "SES in Ireland"] as const)(
  "a domain that the release before verified by %s keeps its records when the transport changes with the upgrade",
  async (from) => {
    rename(installations[from])
    const domain = await stage.registered()
    stage.publish(shown(await get(domain)))
    await verify(domain)
    await pool().query(
      `UPDATE domains SET checked_mail_from_mx = NULL, checked_mail_from_spf = NULL, verified_mail_from_mx = NULL,
        verified_mail_from_spf = NULL WHERE id = $1`,
      [domain.id],
    )
    const sql = readFileSync("prisma/migrations/0082_domains_and_transports/migration.sql", "utf8")
    await pool().query(statementsOf(sql)[1] ?? "")
    rename(installations[from === "relay" ? "SES in Ireland" : "relay"])
    const { status, oldRecordsCountUntil } = await verify(domain)
    expect({ status, counts: oldRecordsCountUntil !== undefined }).toEqual({ status: "verified", counts: true })
  },
)

const label = fc.stringMatching(/^[a-z]([a-z0-9-]{0,8}[a-z0-9])?$/)
const installation = fc.record({
  service: fc.tuple(label, label).map(([one, two]) => `${one}.${two}.Example`),
  report: fc.option(
    fc.tuple(label, label).map(([one, two]) => `${one}.${two}.example`),
    { nil: "" },
  ),
  smtp: fc.constantFrom("", relay, ses("eu-west-1")),
})

test("whatever the installation's names and whatever was changed: what the API shows is right once it is published", async () => {
  const steps = fc.array(fc.constantFrom("rename", "host names", "rotate", "logo", "policy"), { maxLength: 4 })
  const policies = ["v=DMARC1; p=reject; rua=mailto:a@x.com", "V=DMARC1, P=none sp=reject", "v=DMARC1; p=none;"]
  let hosts = 0
  await assertInTime(
    fc.asyncProperty(
      installation,
      installation,
      steps,
      fc.constantFrom(...policies),
      async (first, then, taken, policy) => {
        stage.reset()
        // Another project each time, because of the rate limits.
        const domain = await stage.registered()
        const { call } = domain
        rename(first)
        for (const step of taken) {
          stage.time.now += 8 * day
          if (step === "rename") rename(then)
          if (step === "host names" && hosts++ >= 0)
            await call("PATCH /v1/projects/{projectId}/domains/{domainId}", {
              body: { mailFromDomain: `send${hosts}.acme.com`, trackingDomain: `go${hosts}.acme.com` },
            })
          if (step === "rotate") {
            stage.publish(shown(await verify(domain)))
            await verify(domain)
            await call("POST /v1/projects/{projectId}/domains/{domainId}/rotate-dkim")
          }
          if (step === "logo")
            await pool().query("UPDATE domains SET bimi_logo_url = $2 WHERE id = $1", [
              domain.id,
              "https://acme.com/l.svg",
            ])
          if (step === "policy") stage.servers[0]?.answer("_dmarc.acme.com", "TXT", [policy])
        }
        stage.time.now += 8 * day
        await verify(domain)
        const records = shown(await get(domain))
        stage.publish(records)
        const after = await verify(domain)
        expect(after.status).toBe("verified")
        for (const record of shown(after)) {
          expect(record).toMatchObject({ status: "verified" })
          expect(record.likelyCause).toBeUndefined()
        }
        expect(shown(after).map(({ name, value }) => [name, value])).toEqual(
          records.map(({ name, value }) => [name, value]),
        )
        for (const { outcome } of (await diagnosis(domain)).records) expect(outcome).toBe("valid")
      },
    ),
    { numRuns: 6 },
  )
})
