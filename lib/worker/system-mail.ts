import { compose } from "@/lib/delivery/compose"
import { createSmtpPool } from "@/lib/delivery/smtp-client"
import type { SmtpPool } from "@/lib/delivery/smtp-pool"
import { letterOf, type Letter } from "@/lib/access/system-letters"
import { systemRelay } from "@/lib/access/system-mail"
import {
  claimSystemMails,
  forgetSystemMail,
  prolongSystemMails,
  putOffSystemMail,
  type ClaimedSystemMail,
} from "@/lib/access/system-mail-store"
import { env } from "@/lib/platform/env"
import type { Io } from "@/lib/platform/io"
import { runLeased } from "@/lib/platform/leases"
import { log } from "@/lib/platform/log"

const triesMax = 8
const pauseSecondsMax = 120

/** Hands the mail of the installation to the first region's mail server until the signal aborts. Never rejects. */
export async function runSystemMail({ io, signal, leaseMs }: { io: Io; signal: AbortSignal; leaseMs: number }): Promise<void> {
  const relay = systemRelay()
  // Without a mail server nothing is queued; what an earlier configuration left behind waits or expires.
  if (!relay) return
  const pool = createSmtpPool(relay.smtp, { ehloName: relay.ehloName })
  await runLeased<ClaimedSystemMail>({
    name: "system mail",
    claim: (limit) => claimSystemMails(limit, leaseMs),
    work: (claimed, aborted) => handOver(claimed, { pool, io, signal: aborted }),
    heartbeat: async (rows) => {
      const held = await prolongSystemMails(rows, leaseMs)
      return rows.filter(({ id }) => held.has(id))
    },
    leaseMs,
    intervalMs: 500,
    concurrency: 5,
    drainMs: 20_000,
    signal,
  })
  await pool.close()
}

type Way = { pool: SmtpPool; io: Io; signal: AbortSignal }

async function handOver(claimed: ClaimedSystemMail, { pool, io, signal }: Way): Promise<void> {
  if (claimed.expired) return giveUp(claimed, "it was not handed over in time")
  const letter = await letterOf(claimed.mail, io)
  if (!letter) return forgetSystemMail(claimed)
  const message = await messageOf(claimed, letter).catch(() => null)
  if (!message) return giveUp(claimed, "its address cannot stand in a message")
  const { outcome, phase, code } = await pool.send({ from: env().systemFrom, to: claimed.mail.to, message, signal })
  // After an ambiguous end the message most likely arrived, and the reader can ask for another.
  if (outcome === "accepted" || outcome === "ambiguous") return forgetSystemMail(claimed)
  if (outcome === "refused" || claimed.attempts >= triesMax) return giveUp(claimed, `the server answered ${code ?? "nothing"} at ${phase}`)
  await putOffSystemMail(claimed, Math.min(pauseSecondsMax, 5 * 2 ** (claimed.attempts - 1)))
}

/** The log names neither the address nor anything of the content. */
async function giveUp(claimed: ClaimedSystemMail, reason: string): Promise<void> {
  log.warn({ systemMailId: claimed.id, kind: claimed.mail.kind, attempts: claimed.attempts, reason }, "system mail was given up")
  await forgetSystemMail(claimed)
}

/** RFC 3834 section 5: a machine wrote it, so no machine answers. */
function messageOf({ id, createdAt, mail }: ClaimedSystemMail, letter: Letter): Promise<Buffer> {
  const from = env().systemFrom
  return compose({
    messageId: `<${id}@${from.slice(from.lastIndexOf("@") + 1)}>`,
    date: createdAt,
    from: { name: "Mailroom", address: from },
    to: [{ address: mail.to }],
    cc: [],
    ...letter,
    attachments: [],
    headers: [{ name: "Auto-Submitted", value: "auto-generated" }],
  })
}
