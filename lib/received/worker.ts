import { type ArrivalVerdicts, judgeArrival } from "@/lib/inbound/arrival"
import { type ClaimedMail, claimMails, holdMails } from "@/lib/inbound/mails-sql"
import { announceWork } from "@/lib/platform/jobs/notifications"
import { runLeased } from "@/lib/platform/jobs/leases"
import { log } from "@/lib/platform/log"
import { counter } from "@/lib/platform/metrics"
import { emailAnswered, findReceived, recordReceived, shownReading } from "@/lib/received/data"
import { receivedPayload } from "@/lib/received/event"
import { readEmail } from "@/lib/received/read-received"
import { findRouteRow } from "@/lib/received/routes/data"
import { receivingDns } from "@/lib/sandbox/judge"

/** Claims of one mail: each of them broke. */
const attemptsMax = 5
/** Mails read at once; each may have 25 MiB. */
const atOnceMax = 4

const taken = counter("mailroom_received_emails_total", "Emails for projects' routes that were read.", ["outcome"])

/** Reads mail for routes and queues its events, until the signal aborts. Never rejects. Nothing is ever sent in answer. */
export async function runReceivedMail({ signal, leaseMs }: { signal: AbortSignal; leaseMs: number }): Promise<void> {
  await runLeased<ClaimedMail>({
    name: "received mail",
    claim: (limit) => claimMails(limit, leaseMs, "routed"),
    work: (claimed) => workOnReceived(claimed),
    heartbeat: (rows) => holdMails(rows, leaseMs),
    leaseMs,
    intervalMs: 200,
    concurrency: atOnceMax,
    drainMs: 5_000,
    signal,
  })
}

/** Reads one mail, finds the email that it answers, and queues its event for the webhook of its route. */
export async function workOnReceived(claimed: ClaimedMail): Promise<void> {
  const { id, projectId, routeId, mailFrom, rcptTo } = claimed
  if (projectId === null) return
  const scope = { project: { id: projectId } }
  if (claimed.attempt > attemptsMax) {
    log.error({ inboundMessageId: id }, "a received mail could not be read and is given up")
    await recordReceived(scope, claimed, { outcome: "given_up", reading: {}, emailId: null }, null)
    return
  }
  const stored = await findReceived(scope, id)
  if (!stored) return
  const route = routeId === null ? null : await findRouteRow(scope, routeId)
  const { raw } = stored
  const { answers, ...reading } = readEmail({ raw, mailFrom, rcptTo, pattern: route?.pattern ?? null })
  const emailId = (await emailAnswered(scope, answers)) ?? stored.inReplyTo ?? null
  // An answer to a return path was judged by nobody yet.
  const verdicts = stored.dmarc === undefined ? await judge(claimed, raw) : undefined
  const email = { ...stored, ...shownReading(reading), ...verdicts, inReplyTo: emailId ?? undefined }
  const event = route?.webhookId ? { webhookId: route.webhookId, payload: receivedPayload(email, projectId) } : null
  const read = { outcome: "received", reading, emailId, ...(verdicts && { verdicts }) } as const
  if (!(await recordReceived(scope, claimed, read, event))) return
  taken.inc({ outcome: read.outcome })
  announceWork()
}

function judge({ mailFrom, client, helo, routeId, rcptTo }: ClaimedMail, raw: Uint8Array): Promise<ArrivalVerdicts> {
  return judgeArrival({ raw: Buffer.from(raw), mailFrom, ip: client, helo, owner: routeId ?? rcptTo }, receivingDns())
}
