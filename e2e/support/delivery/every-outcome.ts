import { createRelays } from "@/lib/delivery/regions/relays"
import { create, newBroadcaster, newMembers, runDue } from "@/e2e/support/broadcasting"
import { faultServer, type FaultServer } from "@/e2e/support/delivery/fault-server"
import { deliverDue, type Sending } from "@/e2e/support/delivery/sending"
import { api } from "@/e2e/support/world"
import {
  advance,
  lockRead,
  lockReturned,
  type News,
  recordComplaint,
  recordReturned,
  returnedOutcome,
} from "@/lib/delivery/queue/feedback/data"
import { addPastEvents } from "@/lib/emails/data"
import { pool, transaction } from "@/lib/platform/database/db"
import { provideEnv } from "@/lib/platform/env/env"
import { encodeId, newId } from "@/lib/platform/ids"
import { hourMs } from "@/lib/platform/time"
import { dispatchAll } from "@/lib/worker/dispatcher"

/** What happens to an email, by the name of its recipient: how many there are, and what each counts as. */
export const fates = {
  ok: { emails: 560, ends: "delivered" },
  opened: { emails: 180, ends: "delivered", read: "opened" },
  clicked: { emails: 90, ends: "delivered", read: "clicked" },
  spam: { emails: 6, ends: "delivered", read: "complained" },
  later: { emails: 12, ends: "bounced", news: { bounceType: "hard", bounceCode: "5.1.1" } },
  gone: { emails: 40, ends: "bounced" },
  strict: { emails: 30, ends: "refusedOurs" },
  full: { emails: 20, ends: "refused" },
  slow: { emails: 30, ends: "delivered", deferred: true },
  dead: { emails: 15, ends: "failed" },
  stuck: { emails: 25, ends: null },
  pair: { emails: 60, ends: "delivered", copy: "ok" },
  torn: { emails: 30, ends: "delivered", copy: "gone" },
  listed: { emails: 20, ends: null },
  test: { emails: 40, ends: null },
  planned: { emails: 30, ends: null },
  cancelled: { emails: 20, ends: null },
  // Handed to a relay that reports nothing, and to one that does.
  silent: { emails: 420, ends: "unreported" },
  "silent-opened": { emails: 90, ends: "unreported", read: "opened" },
  "silent-gone": { emails: 10, ends: "bounced" },
  "silent-later": { emails: 8, ends: "bounced", news: { bounceType: "hard", bounceCode: "5.1.1" } },
  "silent-full": { emails: 4, ends: "refused", news: { bounceType: "soft", bounceCode: "5.2.2" } },
  asked: { emails: 50, ends: "pending" },
  "asked-delivered": { emails: 100, ends: "delivered", news: "delivered" },
  "asked-full": { emails: 10, ends: "refused", news: { bounceType: "soft", bounceCode: "5.2.2" } },
} as const satisfies Record<string, Fate>

type Fate = {
  emails: number
  ends: "delivered" | "bounced" | "refusedOurs" | "refused" | "failed" | "unreported" | "pending" | null
  /** What its reader does. */
  read?: "opened" | "clicked" | "complained"
  /** What comes back later. */
  news?: "delivered" | { bounceType: "hard" | "soft"; bounceCode: string }
  deferred?: true
  /** What happens to a second recipient of the same message. */
  copy?: string
}
type Name = keyof typeof fates
export const names = Object.keys(fates) as Name[]
/** Of a broadcast, whose recipients are all `ok`. */
export const members = 100

/** What these count as, worked out from the table above alone. */
export function totals(of: readonly Name[]) {
  const all = of.flatMap((name) => {
    const { copy, ...fate }: Fate = fates[name]
    const copied = copy ? [{ ...fate, ends: (fates as Record<string, Fate>)[copy]?.ends ?? null }] : []
    return [fate, ...copied].flatMap((one) => Array.from({ length: one.emails }, () => one))
  })
  const ended = (end: Fate["ends"]) => all.filter(({ ends }) => ends === end).length
  const readers = (read: Fate["read"]) => all.filter((one) => one.read === read).length
  return {
    sent: all.filter(({ ends }) => ends !== null).length,
    delivered: ended("delivered"),
    bounced: ended("bounced"),
    failed: ended("failed"),
    opened: readers("opened"),
    clicked: readers("clicked"),
    complained: readers("complained"),
    deferred: all.filter(({ deferred }) => deferred).length,
    deliveryNotReported: ended("unreported"),
    awaitingReport: ended("pending"),
  }
}

const refused = new Map([
  ["gone", "550 5.1.1 No such user"],
  ["silent-gone", "550 5.1.1 No such user"],
  ["strict", "550 5.7.1 This message looks like spam"],
  ["full", "550 5.2.2 Mailbox full"],
  ["dead", "451 4.3.0 Try again later"],
  ["stuck", "451 4.3.0 Try again later"],
])

const domains = ["gmail.com", "x.example"]
const addressOf = (name: string, at: number) => `${name}.${at}@${domains[at % domains.length]}`

export type EveryOutcome = { sender: Sending; broadcast: string; topics: string[] }

/**
 * 2,000 emails of one project with every outcome, by real SMTP: accepted, delivered by a relay that counts as delivery, by one that
 * reports nothing and by one that reports later, returned, read, and counted in several rounds over a week.
 */
export async function everyOutcome(): Promise<EveryOutcome> {
  const server = await serverOfFates()
  const sender = await newBroadcaster()
  const topics = [await newTopic(sender, "News"), await newTopic(sender, "Sales")]
  await suppressListed(sender)
  const all = { sender, topics }
  await accept(
    all,
    names.filter((name) => !isOfRelay(name)),
  )
  const { segmentId } = await newMembers(sender, members, "ok")
  const broadcast = await create(sender, [segmentId])
  await runDue()
  await deliver(server, "accept")
  await settle(sender)
  // What was deferred is due again; some of it is too old by then.
  await pool().query(
    `UPDATE emails SET created_at = created_at - interval '4 days' WHERE project_id = $1 AND to_headers[1] LIKE '%dead.%'`,
    [sender.projectId],
  )
  await pool().query(
    `UPDATE deliveries SET due_at = now() - interval '1 second' WHERE project_id = $1 AND attempt_count = 1 AND due_at > now()
      AND address NOT LIKE 'stuck.%'`,
    [sender.projectId],
  )
  await deliver(server, "accept")
  await accept(all, names.filter(isOfRelay))
  await deliver(server, "never")
  await pool().query(
    `UPDATE events e SET data = e.data - 'deliveryReported' FROM deliveries d
      WHERE e.project_id = $1 AND e.type = 'sent' AND e.seq IS NULL AND d.id = e.delivery_id AND d.address LIKE 'asked%'`,
    [sender.projectId],
  )
  await settle(sender)
  await newsComes(sender)
  await readersRead(sender)
  await settle(sender)
  await server.close()
  return { sender, broadcast, topics }
}

/** A mail server that answers by the name of the recipient, each in words of its own: one sentence for everybody is the relay's fault. */
async function serverOfFates(): Promise<FaultServer> {
  const tried = new Set<string>()
  const server = await faultServer({
    RCPT() {
      const to = /<([^>]+)>/.exec(server.received.at(-1) ?? "")?.[1] ?? ""
      const [name = ""] = to.split(".")
      if (name === "slow" && !tried.has(to)) {
        tried.add(to)
        return "451 4.7.1 Greylisted"
      }
      const reply = refused.get(name)
      return reply === undefined ? "250 2.1.5 ok" : `${reply}: ${to}`
    },
  })
  return server
}

async function newTopic({ apiKey: key, project: projectId }: Sending, name: string): Promise<string> {
  const body = { name, defaultSubscription: "opt_in" }
  return (await api("POST /v1/projects/{projectId}/topics", { key, params: { projectId }, body })).json.id
}

function isOfRelay(name: Name): boolean {
  return name.startsWith("silent") || name.startsWith("asked")
}

async function suppressListed(sender: Sending) {
  const params = { projectId: sender.project }
  for (let at = 0; at < fates.listed.emails; at++) {
    const body = { email: addressOf("listed", at) }
    await api("POST /v1/projects/{projectId}/suppressions", { key: sender.apiKey, params, body })
  }
}

async function accept({ sender, topics }: Pick<EveryOutcome, "sender" | "topics">, of: readonly Name[]) {
  const items = of.flatMap((name) => {
    const { emails, copy }: Fate = fates[name]
    return Array.from({ length: emails }, (_, at) => ({
      ...{ from: `Acme <hello@${sender.domain}>`, subject: name, text: "Hi" },
      to: [addressOf(name, at)],
      ...(copy && { cc: [addressOf(copy, 10_000 + at)] }),
      ...(at % 3 < 2 && { topicId: topics[at % 3] }),
      tags: { kind: at % 2 ? "receipt" : "news" },
      ...(name === "test" && { testMode: true }),
      ...((name === "planned" || name === "cancelled") && {
        scheduledAt: new Date(Date.now() + 48 * hourMs).toISOString(),
      }),
    }))
  })
  for (let from = 0; from < items.length; from += 100) {
    const body = { items: items.slice(from, from + 100) }
    const { json } = await api("POST /v1/emails/batch", { key: sender.apiKey, body })
    const failed = json.results.filter(({ status }: { status: string }) => status === "rejected")
    if (failed.length > 0) throw new Error(`The batch was refused: ${JSON.stringify(failed[0])}`)
  }
  if (!of.includes("cancelled")) return
  const { rows } = await pool().query<{ id: string }>(
    "SELECT id FROM emails WHERE project_id = $1 AND subject = 'cancelled'",
    [sender.projectId],
  )
  const { status } = await api("POST /v1/projects/{projectId}/emails/cancel", {
    key: sender.apiKey,
    params: { projectId: sender.project },
    body: { ids: rows.map(({ id }) => encodeId("email", id)) },
  })
  if (status !== 200) throw new Error(`Nothing was cancelled: ${status}`)
}

async function deliver(server: FaultServer, delivered: string) {
  provideEnv({ SMTP_URL: `smtp://127.0.0.1:${server.port}?tls=none&delivered=${delivered}` })
  const relays = createRelays()
  await deliverDue(relays)
  await relays.close()
}

/** Counts what happened, each email's up to a week ago, at an hour of its own. */
async function settle(sender: Sending) {
  await pool().query(
    `UPDATE events SET occurred_at = occurred_at - make_interval(hours => abs(hashtext(email_id::text)) % 160)
      WHERE project_id = $1 AND seq IS NULL`,
    [sender.projectId],
  )
  await dispatchAll()
}

async function deliveriesOf(sender: Sending, name: string): Promise<string[]> {
  const { rows } = await pool().query<{ id: string }>(
    "SELECT id FROM deliveries WHERE project_id = $1 AND address LIKE $2 ORDER BY id",
    [sender.projectId, `${name}.%`],
  )
  return rows.map(({ id }) => id)
}

async function newsComes(sender: Sending) {
  for (const name of names) {
    const { news }: Fate = fates[name]
    if (!news) continue
    const told: News =
      news === "delivered" ? { kind: "delivered" } : { kind: "bounced", ...news, diagnostic: "returned" }
    const ids = await deliveriesOf(sender, name)
    await transaction(async (client) =>
      recordReturned(
        client,
        (await lockReturned(client, ids)).map((delivery) => returnedOutcome(delivery, told)),
      ),
    )
  }
}

async function readersRead(sender: Sending) {
  for (const name of names) {
    const { read: act }: Fate = fates[name]
    if (!act) continue
    const ids = await deliveriesOf(sender, name)
    await transaction(async (client) => {
      if (act === "complained") for (const id of ids) await recordComplaint(client, id)
      else {
        const read = await lockRead(client, ids)
        await advance(
          client,
          read.map((delivery) => ({ delivery, to: act })),
        )
        const events = read.map(({ id: deliveryId, projectId, emailId }) => ({ projectId, emailId, deliveryId }))
        await addPastEvents(
          client,
          events.map((event) => ({ id: newId(), ...event, type: act, data: {}, occurredAt: null })),
        )
      }
    })
  }
}
