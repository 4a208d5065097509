import { isIPv4 } from "node:net"
import type { DeliveryAttempt, MachineFault } from "@/lib/delivery/transports/attempt"

/** A port is blocked once servers of so many destinations, in as many networks, time out within this time … */
const destinationsMax = 5
const withinMs = 2 * 60_000
/** … and no server was reached for so long. */
const unreachedMs = 10 * 60_000

/** Tells from single attempts what no server can be blamed for. */
export type OwnFaults = {
  /** What an attempt at a server says of this machine; null if it may be the server. */
  of(attempt: DeliveryAttempt, to: ServerMet): MachineFault | null
  /** A server was reached. */
  reached(): void
}

/** `source` is the address that the attempt was to come from; the system chose one where there is none. */
type ServerMet = { address: string; port: number; destination: string; source?: string | undefined }

export function createOwnFaults(now: () => number): OwnFaults {
  /** By network: hosters drop what leaves to everybody, a broken network only what leads to itself. */
  const timeouts = new Map<string, { address: string; destination: string; at: number }>()
  let reachedAt = -Infinity
  let isBlocked = false

  function reached(): void {
    reachedAt = now()
    isBlocked = false
    timeouts.clear()
  }

  return {
    reached,
    of(attempt, { address, port, destination, source }) {
      if (attempt.phase !== "connect") {
        reached()
        return null
      }
      const missing = missingOf(attempt.text, address, source)
      if (missing || !timedOut.test(attempt.text)) return missing
      timeouts.delete(networkPrefix(address))
      timeouts.set(networkPrefix(address), { address, destination, at: now() })
      const recent = [...timeouts.values()].filter(({ at }) => at > now() - withinMs)
      const destinations = new Set(recent.map((one) => one.destination))
      isBlocked ||= destinations.size >= destinationsMax && now() - reachedAt >= unreachedMs
      const servers = recent.slice(-destinationsMax).map((one) => one.address)
      return isBlocked ? { code: "port_blocked", facts: { port, servers } } : null
    },
  }
}

/** Of our own client, and of the operating system. */
const timedOut = /^no connection within|\bETIMEDOUT\b/

/** No packet has left this machine. Without an address of IPv6 that is usual there. */
function missingOf(text: string, server: string, source: string | undefined): MachineFault | null {
  if (source !== undefined && /\bEADDRNOTAVAIL\b/.test(text)) return { code: "source_missing", facts: { source } }
  const isExpected = source !== undefined || isIPv4(server)
  return isExpected && /\bE(?:NETUNREACH|ADDRNOTAVAIL|ADDRINUSE)\b/.test(text)
    ? { code: "no_route", facts: { server } }
    : null
}

/** The first 16 bits of an IPv4 address, the first 32 of another. */
export function networkPrefix(address: string): string {
  return address.split(isIPv4(address) ? "." : ":", 2).join(isIPv4(address) ? "." : ":")
}
