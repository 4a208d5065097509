import { setTimeout as wait } from "node:timers/promises"
import { env } from "@/lib/platform/env"
import { log } from "@/lib/platform/log"
import { receiverResolver } from "@/lib/sandbox/resolver"
import { openSandboxSmtp } from "@/lib/sandbox/smtp"
import { forgetOldMessages } from "@/lib/sandbox/store"
import { startZone } from "@/lib/sandbox/zone-run"

const sweepEveryMs = 60_000

/**
 * Runs the sandbox, its name server and its mail server, until the signal aborts and both are closed. Where no region is
 * in the sandbox there is nothing to run, and it only waits.
 * @throws with a sentence for the operator when a port is taken
 */
export async function runSandbox(signal: AbortSignal): Promise<void> {
  const settings = env()
  const sandboxed = Object.values(settings.regions).some(({ transport }) => transport === "sandbox")
  if (!sandboxed) return aborted(signal)
  // One that fails takes the other down with it: half a sandbox helps nobody.
  const failed = new AbortController()
  const both = AbortSignal.any([signal, failed.signal])
  const parts = [
    startZone(both).catch(explain("SANDBOX_DNS_PORT", settings.sandboxDnsPort)),
    runSmtp(both).catch(explain("SANDBOX_SMTP_PORT", settings.sandboxSmtpPort)),
    sweep(both),
  ]
  for (const part of parts) part.catch(() => failed.abort())
  const [rejected] = (await Promise.allSettled(parts)).filter((part) => part.status === "rejected")
  if (rejected) throw rejected.reason
}

async function runSmtp(signal: AbortSignal) {
  if (signal.aborted) return
  const settings = env()
  const server = await openSandboxSmtp({
    port: settings.sandboxSmtpPort,
    serviceDomain: settings.serviceDomain,
    resolver: receiverResolver(settings),
  })
  log.info({ port: server.port }, "the sandbox takes mail")
  await aborted(signal)
  await server.close()
}

async function sweep(signal: AbortSignal) {
  while (!signal.aborted) {
    try {
      while (!signal.aborted && (await forgetOldMessages(new Date())) > 0);
    } catch (error) {
      log.warn({ err: error }, "old sandbox messages could not be deleted")
    }
    await wait(sweepEveryMs, undefined, { signal }).catch(() => undefined)
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((done) => (signal.aborted ? done() : signal.addEventListener("abort", () => done(), { once: true })))
}

function explain(variable: string, port: number) {
  return (error: unknown): never => {
    const { code } = error as { code?: unknown }
    if (code !== "EADDRINUSE") throw error
    throw new Error(`Port ${port} is taken by another program. Stop that, or choose another by ${variable}.`, { cause: error })
  }
}
