import { createPrivateKey } from "node:crypto"
import {
  type SystemEmail,
  retrySystemMailForMs,
  systemRelay,
  type UndeliveredReason,
} from "@/lib/access/system-mail/system-mail"
import { CellsSilent, systemEmailOf } from "@/lib/access/system-mail/messages"
import {
  type ClaimedSystemMail,
  claimSystemMails,
  deferSystemMail,
  extendMailLeases,
  forgetSystemMail,
  giveUpSystemMail,
} from "@/lib/access/system-mail/data"
import { systemSource } from "@/lib/delivery/egress/data"
import { compose } from "@/lib/delivery/message/compose"
import { sign, type DkimSigner } from "@/lib/delivery/message/dkim"
import { beforeMail, type DeliveryAttempt } from "@/lib/delivery/transports/attempt"
import type { Source, Transport } from "@/lib/delivery/transports/transport"
import { classify } from "@/lib/delivery/transports/classify"
import { openTransport, transportKinds } from "@/lib/delivery/transports/transports"
import { serviceKey } from "@/lib/domains/keys/data"
import { env } from "@/lib/platform/env/env"
import type { Io } from "@/lib/platform/io"
import { runLeased } from "@/lib/platform/jobs/leases"
import { untilWritten } from "@/lib/platform/jobs/batches"
import { log } from "@/lib/platform/log"
import { cutText } from "@/lib/platform/format"
import { hourMs } from "@/lib/platform/time"

const pauseSeconds = { min: 5, max: 1_800 }
/** How often an unreachable relay is tried again; no email waits longer for it. */
const relayPauseSeconds = 15
const retriedHours = retrySystemMailForMs / hourMs

/** Hands the mail of the installation to the first region's mail server until the signal aborts. Never rejects. */
export async function runSystemMail({
  io,
  signal,
  leaseMs,
}: {
  io: Io
  signal: AbortSignal
  leaseMs: number
}): Promise<void> {
  const relay = systemRelay()
  // Without a mail server nothing is queued; what an earlier configuration left behind waits or expires.
  if (!relay) return
  const transport = openTransport(relay)
  const hasOneServer = transportKinds[relay.transport].hasOneServer
  const takeSource = () => systemSource(relay.region)
  const from = env().systemFrom
  const route: Route = { transport, from, takeSource, hasOneServer, io, signerOf: createSigner(), unreachableUntil: 0 }
  await runLeased<ClaimedSystemMail>({
    name: "system mail",
    claim: (limit) => claimSystemMails(limit, leaseMs),
    work: async (claimed, aborted) => {
      const write = await relayMail(claimed, route, aborted)
      await untilWritten(write, aborted)
    },
    heartbeat: async (rows) => {
      const held = await extendMailLeases(rows, leaseMs)
      return rows.filter(({ id }) => held.has(id))
    },
    leaseMs,
    intervalMs: 500,
    concurrency: 5,
    drainMs: 20_000,
    signal,
  })
  await transport.close()
}

type Route = {
  transport: Transport
  from: string
  takeSource: () => Promise<Source | "any">
  hasOneServer: boolean
  io: Io
  signerOf: () => Promise<DkimSigner>
  unreachableUntil: number
}

/** What is to be written about a mail. */
type Write = () => Promise<void>

async function relayMail(claimed: ClaimedSystemMail, route: Route, signal: AbortSignal): Promise<Write> {
  const now = route.io.clock.now().getTime()
  const ageMs = now - claimed.createdAt.getTime()
  if (claimed.expired) return giveUp(claimed, { code: "expired", facts: {} })
  if (now < route.unreachableUntil) return waitForRelay(claimed, ageMs)
  const email = await systemEmailOf(claimed.mail, route.io).catch((error: unknown) => {
    if (error instanceof CellsSilent) return "later" as const
    throw error
  })
  if (email === "later")
    return () =>
      ageMs >= retrySystemMailForMs ? forgetSystemMail(claimed) : deferSystemMail(claimed, pauseAfter(ageMs))
  if (!email) return () => forgetSystemMail(claimed)
  const message = await messageOf(claimed, email).catch(() => null)
  if (!message) return giveUp(claimed, { code: "unwritable_address", facts: {} })
  const sender = await route.signerOf()
  const signed = await sign(message, sender)
  const { to } = claimed.mail
  const { from, takeSource } = route
  const attempt = await route.transport.send({ from, to, message: signed, sender, takeSource, signal })
  // After an ambiguous end the message most likely arrived, and the reader can ask for another.
  if (attempt.outcome === "accepted" || attempt.outcome === "ambiguous") return () => forgetSystemMail(claimed)
  // What is refused for a fault of ours, which this mail may tell its operator of, waits until it is repaired.
  if (attempt.outcome === "refused" && !isOurFault(attempt))
    return giveUp(claimed, { code: "refused", facts: { answer: answerOf(attempt) } })
  if (attempt.outcome === "region_fault" || (route.hasOneServer && attempt.phase && beforeMail.has(attempt.phase))) {
    route.unreachableUntil = now + relayPauseSeconds * 1_000
    return waitForRelay(claimed, ageMs, answerOf(attempt))
  }
  if (ageMs >= retrySystemMailForMs)
    return giveUp(claimed, { code: "deferred", facts: { hours: retriedHours, answer: answerOf(attempt) } })
  return () => deferSystemMail(claimed, pauseAfter(ageMs))
}

/** An unreachable relay moves no mail further back: once it answers, all leave within seconds. */
function waitForRelay(claimed: ClaimedSystemMail, ageMs: number, answer?: string): Write {
  if (ageMs >= retrySystemMailForMs)
    return giveUp(claimed, { code: "unreachable", facts: { hours: retriedHours, ...(answer && { answer }) } })
  return () => deferSystemMail(claimed, relayPauseSeconds)
}

/** Half of a mail's age: the pauses grow by half each time. */
function pauseAfter(ageMs: number): number {
  return Math.min(pauseSeconds.max, Math.max(pauseSeconds.min, ageMs / 2_000))
}

function isOurFault(attempt: DeliveryAttempt): boolean {
  const { bounceType } = classify(attempt)
  return bounceType === "block" || bounceType === "ours"
}

const answerCharsMax = 300

function answerOf({ code, text }: DeliveryAttempt): string {
  return cutText(code === undefined ? text : `${code} ${text}`, answerCharsMax)
}

/** The log names neither the address nor anything of the content. */
function giveUp(claimed: ClaimedSystemMail, reason: UndeliveredReason): Write {
  log.warn(
    { systemMailId: claimed.id, kind: claimed.mail.kind, attempts: claimed.attempts, reason },
    "system mail is undelivered",
  )
  return () => giveUpSystemMail(claimed, reason)
}

/** The service domain as a signer; its key is read once, and again after an error. */
function createSigner(): () => Promise<DkimSigner> {
  let known: Promise<DkimSigner> | undefined
  return () => {
    known ??= serviceKey().then(({ domain, selector, privateKeyPem }) => ({
      domain,
      selector,
      key: createPrivateKey(privateKeyPem),
    }))
    known.catch(() => (known = undefined))
    return known
  }
}

/** RFC 3834 section 5: a machine wrote it, so no machine answers. */
function messageOf({ id, createdAt, mail }: ClaimedSystemMail, email: SystemEmail): Promise<Buffer> {
  const from = env().systemFrom
  return compose({
    messageId: `<${id}@${from.slice(from.lastIndexOf("@") + 1)}>`,
    date: createdAt,
    from: { name: "Mailroom", address: from },
    to: [{ address: mail.to }],
    cc: [],
    ...email,
    attachments: [],
    headers: [{ name: "Auto-Submitted", value: "auto-generated" }],
  })
}
