import { env } from "@/lib/platform/env/env"
import { log } from "@/lib/platform/log"
import { regionSettings } from "@/lib/regions/settings"
import { receiverResolver } from "@/lib/sandbox/judge"
import { createReaders } from "@/lib/sandbox/readers"
import { openSandboxSmtp } from "@/lib/sandbox/smtp"
import { startZone } from "@/lib/sandbox/zone"

/**
 * Runs the sandbox, its name server and its mail server, until the signal aborts and both are closed. The mail server
 * runs even where no region is in the sandbox: simulator mail never leaves this machine.
 * @throws with a sentence for the operator when a port is taken
 */
export async function runSandbox(signal: AbortSignal): Promise<void> {
  const settings = regionSettings()
  // If one server fails, the other stops too, because half a sandbox is useless.
  const failed = new AbortController()
  const both = AbortSignal.any([signal, failed.signal])
  const parts = [
    startZone(both).catch(explain("SANDBOX_DNS_PORT", settings.sandboxDnsPort)),
    runSmtp(both).catch(explain("SANDBOX_SMTP_PORT", settings.sandboxSmtpPort)),
  ]
  for (const part of parts) part.catch(() => failed.abort())
  const [rejected] = (await Promise.allSettled(parts)).filter((part) => part.status === "rejected")
  if (rejected) throw rejected.reason
}

async function runSmtp(signal: AbortSignal) {
  if (signal.aborted) return
  const settings = { ...env(), ...regionSettings() }
  const resolver = receiverResolver(settings)
  const server = await openSandboxSmtp({
    port: settings.sandboxSmtpPort,
    serviceDomain: settings.serviceDomain,
    resolver,
    readers: createReaders({ port: settings.port, inboundPort: settings.inbound.port, signal, resolver }),
  })
  log.info({ port: server.port }, "the sandbox takes mail")
  await aborted(signal)
  await server.close()
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((done) =>
    signal.aborted ? done() : signal.addEventListener("abort", () => done(), { once: true }),
  )
}

function explain(variable: string, port: number) {
  return (error: unknown): never => {
    const { code } = error as { code?: unknown }
    if (code !== "EADDRINUSE") throw error
    throw new Error(`Port ${port} is in use by another program. Stop that, or choose another by ${variable}.`, {
      cause: error,
    })
  }
}
