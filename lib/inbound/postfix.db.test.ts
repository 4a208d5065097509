import { existsSync } from "node:fs"
import { afterAll, beforeAll, expect, test } from "vitest"
import { figures } from "@/e2e/support/chaos/figures"
import { size } from "@/e2e/support/chaos/size"
import { faultServer, type FaultServer } from "@/e2e/support/delivery/fault-server"
import {
  deliverDue,
  emailRow,
  eventTypes,
  newSending,
  relayAt,
  sendMail,
  suppressedAddresses,
  type Sending,
} from "@/e2e/support/delivery/sending"
import { freePort } from "@/e2e/support/free-port"
import { startPostfix } from "@/e2e/support/inbound/postfix"
import { launchPostfix, processesIn, type Postfix } from "@/e2e/support/postfix"
import { adminCommands } from "@/lib/cli/admin-commands"
import { findReturnRoutes, startLoopTest } from "@/lib/delivery/regions/return-route-store"
import type { Relays } from "@/lib/delivery/regions/relays"
import { storeMails, claimMails } from "@/lib/inbound/mails-sql"
import { workOn } from "@/lib/inbound/jobs"
import { sendLoopTests } from "@/lib/inbound/loop-test"
import { openInbound, type Inbound } from "@/lib/inbound/server"
import { closeDatabase, pool } from "@/lib/platform/database/db"
import { provideEnv } from "@/lib/platform/env/env"
import { systemIo } from "@/lib/regions/io"

/** Postfix pipelines DATA behind the refused recipient. */
const nobody = "554 5.5.1 No valid recipients"

const counts = { refused: size(20, 200), deferred: size(5, 50), reported: size(6, 50) }
/** Beside other tests it takes as long as these let it; the long run has nothing beside it. */
const labStartsWithinMs = size(30_000, 8_000)

let sender: Sending
let refusing: FaultServer
let deferring: FaultServer
let taking: FaultServer
let inbound: Inbound
let postfix: Postfix
let relays: Relays
let labMs = 0

beforeAll(async () => {
  sender = await newSending()
  await pool().query("UPDATE projects SET per_second_sends = 100000 WHERE id = $1", [sender.projectId])
  const startedAt = performance.now()
  refusing = await faultServer({ RCPT: "550 5.1.1 User unknown", DATA: nobody })
  deferring = await faultServer({ RCPT: "451 4.2.0 Try again later", DATA: nobody })
  taking = await faultServer({})
  inbound = await openInbound({
    port: 0,
    host: "127.0.0.1",
    service: { serviceDomain: "mailroom.test", reportDomain: "dmarc.mailroom.test" },
    // The one address stands for the servers of all recipients.
    limits: { newPerAddressAndMinuteMax: 10_000 },
    store: async (mail) => (await storeMails([mail]))[0] ?? "late",
  })
  const port = await freePort()
  postfix = await startPostfix(port, [
    [/@(send|feedback)\./, inbound.port],
    [/@refused\./, refusing.port],
    [/@deferred\./, deferring.port],
    [/@reported\./, "discard"],
    [/./, taking.port],
  ])
  labMs = performance.now() - startedAt
  relays = relayAt(port, "delivered=dsn")
})
afterAll(async () => {
  await relays.close()
  await postfix.stop()
  for (const server of [refusing, deferring, taking, inbound]) await server.close()
  await closeDatabase()
})

async function sentTo(domain: string, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let at = 0; at < count; at++) ids.push(...(await sendMail(sender, { to: [`r${at}@${domain}`] })))
  return ids
}

async function work() {
  await Promise.all((await claimMails(100, 60_000)).map(workOn))
}

test(`the lab is ready within ${labStartsWithinMs / 1_000} s`, () => {
  expect(labMs).toBeGreaterThan(0)
  expect(labMs).toBeLessThanOrEqual(labStartsWithinMs)
})

test("the loop test passes through a real Postfix, which offers delivery reports and comes back by STARTTLS", async () => {
  await startLoopTest("eu-west-1")
  expect(await sendLoopTests({ relays, io: systemIo(), signal: new AbortController().signal })).toBe(1)
  const route = async () => {
    await work()
    return (await findReturnRoutes())[0]
  }
  await expect.poll(route, { timeout: 60_000, interval: 200 }).toMatchObject({
    code: "passed",
    offersReports: true,
    returnedFrom: "127.0.0.1",
    returnedTls: expect.stringMatching(/^TLSv1/),
  })
  await relays.learnReports()
})

test(
  `G38: of mail through a real Postfix, ${counts.refused} refused come back as bounces, ${counts.deferred} deferred as delays and ${counts.reported} delivered as reports, each to its own recipient, and nobody else is suppressed`,
  { timeout: 300_000 },
  async () => {
    const startedAt = performance.now()
    const refused = await sentTo("refused.example", counts.refused)
    const deferred = await sentTo("deferred.example", counts.deferred)
    const reported = await sentTo("reported.example", counts.reported / 2)
    // Its next hop offers no reports: Postfix says that it relayed the mail.
    const relayed = await sentTo("taken.example", counts.reported / 2)
    await deliverDue(relays)
    const outcomes = async () => {
      await work()
      const { rows } = await pool().query<{ outcome: string; count: number }>(
        "SELECT outcome, count(*)::int FROM inbound_messages WHERE project_id = $1 AND outcome IN ('bounced', 'delayed', 'delivered') GROUP BY 1",
        [sender.projectId],
      )
      return Object.fromEntries(rows.map(({ outcome, count }) => [outcome, count]))
    }
    const expected = { bounced: counts.refused, delayed: counts.deferred, delivered: counts.reported }
    await expect.poll(outcomes, { timeout: size(60_000, 240_000), interval: 200 }).toEqual(expected)
    const { rows } = await pool().query<{ status: string; bounce_type: string; bounce_code: string; count: number }>(
      "SELECT status, bounce_type, bounce_code, count(*)::int FROM deliveries WHERE email_id = ANY ($1) GROUP BY 1, 2, 3",
      [refused],
    )
    expect(rows).toEqual([{ status: "bounced", bounce_type: "hard", bounce_code: "5.1.1", count: counts.refused }])
    for (const id of deferred) expect(await eventTypes(id)).toEqual(["queued", "sent", "delivery_delayed"])
    for (const id of [...reported, ...relayed]) {
      expect(await eventTypes(id)).toEqual(["queued", "sent", "delivered"])
      expect(await emailRow(id)).toMatchObject({ status: "delivered" })
    }
    const suppressed = await suppressedAddresses(sender)
    expect(suppressed.every((address) => address.endsWith("@refused.example"))).toBe(true)
    expect(suppressed).toHaveLength(counts.refused)
    figures("returned mail through Postfix", {
      ...expected,
      "wrong suppressions": suppressed.length - counts.refused,
      "lab ready in ms": labMs,
      seconds: (performance.now() - startedAt) / 1_000,
    })
  },
)

test("a Postfix with what `admin relay-config` prints relays email without a warning, and its bounces come back", async () => {
  const relayPort = await freePort()
  provideEnv({ INBOUND_PORT: String(inbound.port), SMTP_URL_EU_WEST_1: `smtp://127.0.0.1:${relayPort}` })
  const print = await adminCommands["relay-config"]?.(["--region", "eu-west-1"])
  const { mainCf, masterCf, env } = { ...(await print?.()) } as Record<"mainCf" | "masterCf" | "env", string>
  expect(env).toBe(`SMTP_URL_EU_WEST_1=smtp://127.0.0.1:${relayPort}?delivered=dsn`)
  const own = await launchPostfix({
    // Only where the recipients' servers are is the lab's own.
    main: `${mainCf}transport_maps = inline:{ { refused-here.example = smtp:[127.0.0.1]:${refusing.port} } }\n`,
    listeners: [masterCf],
  })
  const through = relayAt(relayPort, "delivered=never")
  try {
    const [id = ""] = await sendMail(sender, { to: ["ada@refused-here.example"] })
    const before = refusing.received.length
    await deliverDue(through)
    const status = async () => {
      await work()
      return emailRow(id)
    }
    await expect.poll(status, { timeout: 20_000, interval: 200 }).toMatchObject({ status: "bounced" })
    expect(refusing.received.slice(before)).toContain("EHLO out.eu-west-1.mailroom.test")
    expect(own.log().split("daemon started")[1]).not.toMatch(/\b(?:warning|error|fatal):/)
  } finally {
    await through.close()
    await own.stop()
  }
})

test("the lab leaves no process and no file behind", async () => {
  expect(processesIn(postfix.folder).length).toBeGreaterThan(0)
  await postfix.stop()
  expect(processesIn(postfix.folder)).toEqual([])
  expect(existsSync(postfix.folder)).toBe(false)
})
