import { registrationsOf } from "@/lib/domains/data"
import { judgeArrival } from "@/lib/inbound/arrival"
import { reportMailToday } from "@/lib/inbound/data"
import { type InboundMail, type Intake, storeMails } from "@/lib/inbound/mails-sql"
import { createRouteDirectory } from "@/lib/inbound/route-store"
import { openInbound } from "@/lib/inbound/server"
import { env } from "@/lib/platform/env/env"
import { announceWork } from "@/lib/platform/jobs/notifications"
import { batchWrites } from "@/lib/platform/jobs/batches"
import { log } from "@/lib/platform/log"
import { dayMs } from "@/lib/platform/time"
import { regionSettings } from "@/lib/regions/settings"
import { receivingDns } from "@/lib/sandbox/judge"

/** Mails of all sessions within this time share a commit. */
const spacingMs = 5
const mailsMax = 200
/** Of the mails of one commit, each of which is stored for each of its recipients: PostgreSQL takes no statement of 1 GiB. */
const bytesMax = 32 * 2 ** 20

/**
 * Takes returned mail until the signal aborts and the sessions have ended.
 * @throws with a sentence for the operator when the port is taken or the certificate cannot be used
 */
export async function runInbound(signal: AbortSignal, { onReady = () => {} } = {}): Promise<void> {
  const { tls, serviceDomain, reportDomain } = env()
  const { inbound } = regionSettings()
  const bytes = { of: ({ raw }: InboundMail) => raw.length, max: bytesMax }
  const store = batchWrites(storeMails, { max: mailsMax, bytes, spacingMs })
  const resolve = receivingDns()
  const server = await openInbound({
    ...inbound,
    ...(tls ? { tls } : {}),
    service: { serviceDomain, reportDomain },
    admitReports: createReportAddresses(),
    routes: createRouteDirectory(),
    judge: (message) => judgeArrival(message, resolve),
    async store(mail) {
      const answer = await store(mail)
      if (answer === "stored") announceWork()
      return answer
    },
  }).catch(explain(inbound.port))
  log.info({ port: server.port }, "returned mail is taken")
  onReady()
  await new Promise<void>((done) =>
    signal.aborted ? done() : signal.addEventListener("abort", () => done(), { once: true }),
  )
  await server.close()
}

function explain(port: number) {
  return (error: unknown): never => {
    const { code } = error as { code?: unknown }
    if (code === "EADDRINUSE")
      throw new Error(`Port ${port} is in use by another program. Stop that, or choose another by INBOUND_PORT.`, {
        cause: error,
      })
    if (code === "EACCES")
      throw new Error(
        `Port ${port} may not be opened by this user. Choose another by INBOUND_PORT, and forward port 25 to it.`,
        {
          cause: error,
        },
      )
    throw error
  }
}

// Addresses for reports

type Answer = Exclude<Intake, "late">

/** Who publishes the address shows it to everybody: what one address takes in a day is limited. */
export const reportAddressLimits = { mailsPerDay: 5_000, bytesPerDay: 256 * 2 ** 20 }

const keptMs = 10_000
const keptMax = 10_000

/**
 * Whether addresses for reports take mail; what was looked up is believed for 10 s. An address of a domain that is registered no more
 * is `unknown`.
 */
export function createReportAddresses(
  limits = reportAddressLimits,
): (address: string, token: string) => Promise<Answer> {
  const kept = new Map<string, { until: number; answer: Promise<Answer> }>()

  return (address, token) => {
    const known = kept.get(address)
    if (known && known.until > performance.now()) return known.answer
    const answer = lookUp(address, token, limits)
    if (kept.size >= keptMax) kept.clear()
    kept.set(address, { until: performance.now() + keptMs, answer })
    // A database that did not answer may answer in a moment.
    answer.catch(() => kept.delete(address))
    return answer
  }
}

async function lookUp(address: string, token: string, limits: typeof reportAddressLimits): Promise<Answer> {
  const registrations = await registrationsOf(token)
  if (registrations.length === 0) return "unknown"
  const { mails, bytes } = await reportMailToday(address, new Date(Date.now() - dayMs))
  return mails >= limits.mailsPerDay || bytes >= limits.bytesPerDay ? "full" : "stored"
}
