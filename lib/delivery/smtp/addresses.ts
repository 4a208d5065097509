import { lookup } from "node:dns/promises"
import { isIP, isIPv6 } from "node:net"
import { setTimeout as wait } from "node:timers/promises"
import type { SmtpEndpoint, SmtpLimits } from "@/lib/delivery/smtp/connection"
import { SmtpFailure } from "@/lib/delivery/smtp/reply"

/** The addresses of a host in the order in which they are tried. */
export type LookUp = (host: string) => Promise<string[]>

/** Opens a session, for which TCP has so long. */
type Opening<T> = (address: string, connectTimeoutMs: number) => Promise<T>

/** Where sessions with a host are opened. */
type Addresses = {
  /** Opens one at the first address that allows it (RFC 5321 section 5.1); fails as the first address did. */
  openAny<T>(open: Opening<T>, transcript: string[], signal?: AbortSignal): Promise<T>
}

/** For one session no more addresses are tried, and none after so long. */
const [addressesMax, sessionWithinMs] = [5, 60_000]
/** While others are left, an address that does not answer is given up this soon (RFC 8305 section 5, for servers further away). */
const othersWaitMs = 2_000
/** An address that opened no session comes last for so long. */
const failedMs = 60_000

export function createAddresses(
  { host, address }: SmtpEndpoint,
  { lookUp = systemLookUp, connectTimeoutMs }: Pick<SmtpLimits, "connectTimeoutMs"> & { lookUp?: LookUp },
  now = () => performance.now(),
): Addresses {
  const known = address ?? (isIP(host) ? host : undefined)
  const failedUntil = new Map<string, number>()

  async function inTurn(signal?: AbortSignal): Promise<string[]> {
    const timeout = wait(connectTimeoutMs, null, { ref: false, ...(signal && { signal }) })
    const found = await Promise.race([lookUp(host), timeout]).catch((error: Error) => {
      throw new SmtpFailure("connect", signal?.aborted ? "deferred" : "region_fault", error.message)
    })
    if (found === null)
      throw new SmtpFailure("connect", "region_fault", `no address of ${host} within ${connectTimeoutMs / 1000} s`)
    const all = alternating(found)
    const failed = all.filter((one) => (failedUntil.get(one) ?? 0) > now())
    return [...all.filter((one) => !failed.includes(one)), ...failed].slice(0, addressesMax)
  }

  return {
    async openAny(open, transcript, signal) {
      if (known !== undefined) return open(known, connectTimeoutMs)
      const giveUpAt = now() + sessionWithinMs
      let first: SmtpFailure | undefined
      const all = await inTurn(signal)
      for (const [at, one] of all.entries()) {
        if (now() > giveUpAt) break
        const isLast = at === all.length - 1
        try {
          return await open(one, isLast ? connectTimeoutMs : Math.min(othersWaitMs, connectTimeoutMs))
        } catch (error) {
          if (signal?.aborted || !(error instanceof SmtpFailure) || !isOfServer(error)) throw error
          first ??= error
          failedUntil.set(one, now() + failedMs)
          transcript.push(`— ${one}: ${error.message}`)
        }
      }
      throw first ?? new SmtpFailure("connect", "region_fault", `${host} has no address`)
    },
  }
}

/** Credentials that one server refuses for good are wrong for all. */
function isOfServer({ phase, reply }: SmtpFailure): boolean {
  return phase !== "auth" || reply === undefined || reply.code < 500
}

/** One of IPv6, one of IPv4, and so on (RFC 8305 section 4): a network without one of them costs one wait. */
function alternating(found: readonly string[]): string[] {
  const [six, four] = [found.filter((one) => isIPv6(one)), found.filter((one) => !isIPv6(one))]
  return found.flatMap((_, at) => [six[at], four[at]].filter((one) => one !== undefined))
}

async function systemLookUp(host: string): Promise<string[]> {
  const found = await lookup(host, { all: true })
  return found.map(({ address }) => address)
}
