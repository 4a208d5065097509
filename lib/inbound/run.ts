import { openInbound } from "@/lib/inbound/server"
import { createReportAddresses } from "@/lib/inbound/report-addresses"
import { storeMails } from "@/lib/inbound/intake-sql"
import { env } from "@/lib/platform/env/env"
import { announceWork } from "@/lib/platform/jobs/announce-sql"
import { batchWrites } from "@/lib/platform/jobs/batch-writes"
import { log } from "@/lib/platform/log"
import { regionSettings } from "@/lib/regions/settings"

/** Mails of all sessions within this time share a commit. */
const spacingMs = 5
const mailsMax = 200

/**
 * Takes returned mail until the signal aborts and the sessions have ended.
 * @throws with a sentence for the operator when the port is taken or the certificate cannot be used
 */
export async function runInbound(signal: AbortSignal, { onReady = () => {} } = {}): Promise<void> {
  const { tls, serviceDomain, reportDomain } = env()
  const { inbound } = regionSettings()
  const store = batchWrites(storeMails, { max: mailsMax, spacingMs })
  const server = await openInbound({
    ...inbound,
    ...(tls ? { tls } : {}),
    service: { serviceDomain, reportDomain },
    admitReports: createReportAddresses(),
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
