import { env } from "@/lib/platform/env/env"
import { log } from "@/lib/platform/log"
import { openSubmission, type SubmissionOptions } from "@/lib/submission/server"
import { submissionSettings } from "@/lib/delivery/smtp/submission-settings"

/**
 * Takes email by SMTP until the signal aborts and the sessions have ended.
 * @throws with a sentence for the operator when a port is taken or the certificate cannot be used
 */
export async function runSubmission(
  signal: AbortSignal,
  { send, onReady = () => {} }: Pick<SubmissionOptions, "send"> & { onReady?: () => void },
): Promise<void> {
  const { tls, serviceDomain, dataDir } = env()
  const own = tls ? { tls } : { folder: dataDir }
  const server = await openSubmission({ ...submissionSettings(), ...own, name: serviceDomain, send })
  log.info({ port: server.port, tlsPort: server.tlsPort }, "email is taken by SMTP")
  onReady()
  await new Promise<void>((done) =>
    signal.aborted ? done() : signal.addEventListener("abort", () => done(), { once: true }),
  )
  await server.close()
}
