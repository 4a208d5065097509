import { createHmac } from "node:crypto"
import { encodeId } from "@/lib/platform/ids"
import type { Io } from "@/lib/platform/io"
import { runLeased } from "@/lib/platform/jobs/leases"
import { extendLeases } from "@/lib/platform/jobs/leases-sql"
import { untilWritten } from "@/lib/platform/jobs/batches"
import { log } from "@/lib/platform/log"
import { counter } from "@/lib/platform/metrics"
import {
  type OutboundGuard,
  judgeUrl,
  outboundGuard,
  type Resolve,
  systemResolve,
  TargetRefused,
} from "@/lib/platform/outbound/target"
import { post } from "@/lib/platform/outbound/request"
import { createWebhookClaim, disable, finish } from "@/lib/webhooks/delivery/data"
import * as outcomes from "@/lib/webhooks/delivery/outcome"
import type { ClaimedDelivery } from "@/lib/webhooks/delivery/outcome"
import { openSecret } from "@/lib/webhooks/data"

const attempts = counter("mailroom_webhook_attempts_total", "Attempts to deliver an event to a webhook.", ["outcome"])

export type WebhookOptions = {
  io: Pick<Io, "clock" | "random">
  signal: AbortSignal
  leaseMs?: number
  intervalMs?: number
  /** Many, because a silent endpoint holds its place for the whole time limit; the claim bounds what each may hold. */
  places?: number
  drainMs?: number
  guard?: OutboundGuard
  resolve?: Resolve
}

/** Delivers events to webhooks until the signal aborts and all running requests have ended. Never rejects. */
export async function runWebhooks(options: WebhookOptions): Promise<void> {
  const { leaseMs = 60_000, intervalMs = 250, drainMs = 20_000, places = 500, signal } = options
  const sender = { ...options, guard: options.guard ?? outboundGuard(), resolve: options.resolve ?? systemResolve() }
  const taken = new Map<string, number>()
  const count = ({ organizationId }: ClaimedDelivery, change: 1 | -1) => {
    const now = (taken.get(organizationId) ?? 0) + change
    if (now > 0) taken.set(organizationId, now)
    else taken.delete(organizationId)
  }
  await runLeased<ClaimedDelivery>({
    name: "webhooks",
    claim: createWebhookClaim({ leaseMs, places, taken }),
    async work(claimed, aborted, isHeld) {
      count(claimed, 1)
      try {
        await deliver(claimed, sender, aborted, isHeld)
      } finally {
        count(claimed, -1)
      }
    },
    heartbeat: (rows) => extendLeases("webhook_deliveries", rows, { leaseMs, held: "t.status = 'processing'" }),
    leaseMs,
    intervalMs,
    concurrency: places,
    slowConcurrency: places,
    drainMs,
    signal,
  })
}

type Sender = { io: Pick<Io, "clock" | "random">; guard: OutboundGuard; resolve: Resolve }

async function deliver(claimed: ClaimedDelivery, sender: Sender, signal: AbortSignal, isHeld: () => boolean) {
  if (!isHeld()) return
  const outcome = await attempt(claimed, sender, signal)
  const { held, failsTooLong } = await untilWritten(() => finish({ ...outcome, url: claimed.url }), signal)
  if (!held) return
  attempts.inc({ outcome: outcome.tried ? outcome.status : "released" })
  if (!outcome.gone && !failsTooLong) return
  const reason = outcome.gone ? "gone" : "failing"
  log.warn({ webhookId: claimed.webhookId, reason }, "a webhook is disabled")
  await disable(claimed, reason)
}

/** One attempt, with its place in the history of the delivery. */
async function attempt(
  claimed: ClaimedDelivery,
  sender: Sender,
  signal: AbortSignal,
): Promise<outcomes.WebhookOutcome> {
  const [at, began] = [sender.io.clock.now(), performance.now()]
  const sent: Sent = { at }
  const outcome = await send(claimed, sender, signal, sent)
  const durationMs = Math.round(performance.now() - began)
  const { signature } = sent
  return outcomes.recorded(outcome, { at: at.toISOString(), durationMs, ...(signature && { signature }) })
}

type Sent = { at: Date; signature?: string }

/** Every attempt judges the target anew and signs the stored body with the time of now. */
async function send(
  claimed: ClaimedDelivery,
  sender: Sender,
  signal: AbortSignal,
  sent: Sent,
): Promise<outcomes.WebhookOutcome> {
  const { url, eventId, body } = claimed
  const { io, guard, resolve } = sender
  try {
    const target = judgeUrl(url, guard)
    if (!target.ok) throw new TargetRefused(target.fault)
    const signature = signatureOf(encodeId("evt", eventId), sent.at, body, secretsOf(claimed))
    sent.signature = signature
    const headers = requestHeaders(encodeId("evt", eventId), sent.at, signature)
    const response = await post({ target, guard, resolve, headers, body, timeoutMs: outcomes.timeoutMs, signal })
    return outcomes.answered(claimed, response, { now: io.clock.now(), random: io.random.number() })
  } catch (error) {
    if (signal.aborted) return outcomes.releaseWebhook(claimed)
    return outcomes.unanswered(claimed, error, { now: io.clock.now(), random: io.random.number() })
  }
}

/** A secret that cannot be opened fails its own deliveries alone, and a former one nothing at all. */
function secretsOf({ webhookId, projectId, sealedSecrets }: ClaimedDelivery): Buffer[] {
  const secrets = sealedSecrets.map((sealed) => {
    try {
      return openSecret(sealed, { id: webhookId, projectId })
    } catch (error) {
      log.error({ err: error, webhookId }, "a secret of a webhook cannot be opened")
      return null
    }
  })
  if (!secrets[0]) throw new outcomes.SecretUnreadable()
  return secrets.filter((secret) => secret !== null)
}

/** Seconds since 1970: the time that is signed. */
function timestampOf(at: Date): string {
  return String(Math.floor(at.getTime() / 1_000))
}

/** Signatures of Standard Webhooks over id, time of the attempt and body: one for each secret, the current one first. */
export function signatureOf(id: string, at: Date, body: string, secrets: readonly Uint8Array[]): string {
  const signed = `${id}.${timestampOf(at)}.${body}`
  return secrets.map((secret) => `v1,${createHmac("sha256", secret).update(signed).digest("base64")}`).join(" ")
}

/** What an attempt sends besides the body. */
export function requestHeaders(id: string, at: Date, signature: string): Record<string, string> {
  return {
    "content-type": "application/json",
    "user-agent": "Mailroom-Webhooks/1",
    ...{ "webhook-id": id, "webhook-timestamp": timestampOf(at), "webhook-signature": signature },
  }
}
