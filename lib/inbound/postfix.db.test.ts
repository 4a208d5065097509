import { afterAll, beforeAll, expect, test } from "vitest"
import { size } from "@/e2e/support/chaos/size"
import { faultServer, type FaultServer } from "@/e2e/support/delivery/fault-server"
import {
  deliverDue,
  eventTypes,
  newSending,
  relayAt,
  sendMail,
  suppressedAddresses,
  type Sending,
} from "@/e2e/support/delivery/sending"
import { freePort } from "@/e2e/support/free-port"
import { startPostfix, type Postfix } from "@/e2e/support/inbound/postfix"
import type { Relays } from "@/lib/delivery/regions/relays"
import { storeMails } from "@/lib/inbound/intake-sql"
import { workOn } from "@/lib/inbound/jobs"
import { claimMails } from "@/lib/inbound/mails-sql"
import { openInbound, type Inbound } from "@/lib/inbound/server"
import { closeDatabase, pool } from "@/lib/platform/database/db"

/** Postfix pipelines DATA behind the refused recipient. */
const nobody = "554 5.5.1 No valid recipients"

const counts = { refused: size(20, 200), deferred: size(5, 50), accepted: 5 }

let sender: Sending
let refusing: FaultServer
let deferring: FaultServer
let taking: FaultServer
let inbound: Inbound
let postfix: Postfix
let relays: Relays

beforeAll(async () => {
  sender = await newSending()
  await pool().query("UPDATE projects SET per_second_sends = 100000 WHERE id = $1", [sender.projectId])
  refusing = await faultServer({ RCPT: "550 5.1.1 User unknown", DATA: nobody })
  deferring = await faultServer({ RCPT: "451 4.2.0 Try again later", DATA: nobody })
  taking = await faultServer({})
  inbound = await openInbound({
    port: 0,
    host: "127.0.0.1",
    service: { serviceDomain: "mailroom.test", reportDomain: "dmarc.mailroom.test" },
    store: async (mail) => (await storeMails([mail]))[0] ?? "late",
  })
  const port = await freePort()
  postfix = await startPostfix(port, [
    [/@send\./, inbound.port],
    [/@refused\./, refusing.port],
    [/@deferred\./, deferring.port],
    [/./, taking.port],
  ])
  relays = relayAt(port, "delivered=never")
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

test(
  `G38: of mail through a real Postfix, ${counts.refused} refused come back as bounces and ${counts.deferred} deferred as delays, each to its own recipient, and the rest stays sent`,
  { timeout: 300_000 },
  async () => {
    const refused = await sentTo("refused.example", counts.refused)
    const deferred = await sentTo("deferred.example", counts.deferred)
    const accepted = await sentTo("taken.example", counts.accepted)
    await deliverDue(relays)
    const expected = counts.refused + counts.deferred
    const outcomes = async () => {
      await work()
      const { rows } = await pool().query<{ outcome: string; count: number }>(
        "SELECT outcome, count(*)::int FROM inbound_messages WHERE project_id = $1 AND outcome IN ('bounced', 'delayed') GROUP BY 1",
        [sender.projectId],
      )
      return Object.fromEntries(rows.map(({ outcome, count }) => [outcome, count]))
    }
    await expect
      .poll(outcomes, { timeout: size(60_000, 240_000), interval: 200 })
      .toEqual({ bounced: counts.refused, delayed: counts.deferred })
    const { rows } = await pool().query<{ status: string; bounce_type: string; bounce_code: string; count: number }>(
      "SELECT status, bounce_type, bounce_code, count(*)::int FROM deliveries WHERE email_id = ANY ($1) GROUP BY 1, 2, 3",
      [refused],
    )
    expect(rows).toEqual([{ status: "bounced", bounce_type: "hard", bounce_code: "5.1.1", count: counts.refused }])
    for (const id of deferred) expect(await eventTypes(id)).toEqual(["queued", "sent", "delivery_delayed"])
    for (const id of accepted) expect(await eventTypes(id)).toEqual(["queued", "sent"])
    expect((await suppressedAddresses(sender)).every((address) => address.endsWith("@refused.example"))).toBe(true)
    expect(await suppressedAddresses(sender)).toHaveLength(counts.refused)
    expect(expected).toBe(refused.length + deferred.length)
  },
)
