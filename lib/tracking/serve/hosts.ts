import { env } from "@/lib/platform/env/env"
import { log } from "@/lib/platform/log"
import { findTrackingHosts } from "@/lib/tracking/data"

const freshMs = 10_000

let hosts: ReadonlySet<string> = new Set()
let readAt = -Infinity
let reading: Promise<void> | undefined

/** Reads the hosts again if they are not fresh, in the background. */
function keepFresh(): void {
  if (performance.now() - readAt < freshMs) return
  void refreshHosts()
}

/** Reads the hosts of all domains now. */
export async function refreshHosts(): Promise<void> {
  reading ??= findTrackingHosts()
    .then((found) => {
      hosts = new Set(found)
    })
    .catch((error: unknown) => log.warn({ err: error }, "the hosts of tracked links could not be read"))
    .finally(() => {
      readAt = performance.now()
      reading = undefined
    })
  await reading
}

/** Whether a host is that of a domain's tracked links: out of memory, because it is asked for each connection. */
export function isTrackingHost(host: string): boolean {
  keepFresh()
  return hosts.has(host)
}

/** Hosts under which every project's links are answered. */
export function isServiceHost(host: string): boolean {
  const { baseUrl, serviceDomain } = env()
  return host === new URL(baseUrl).hostname || host === `track.${serviceDomain}`
}
