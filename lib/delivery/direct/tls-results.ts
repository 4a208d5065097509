import type { DeliveryAttempt } from "@/lib/delivery/transports/attempt"
import { log } from "@/lib/platform/log"

/** What a domain demands of the TLS of its servers, as reports about it name it (RFC 8460 section 4.2). */
export type ReportedPolicy = {
  type: "sts" | "tlsa" | "no-policy-found"
  /** The lines of the MTA-STS policy, or the TLSA records; empty where there is none that could be read. */
  lines: readonly string[]
}

/** How a session ended as far as its TLS is concerned (RFC 8460 section 4.3). */
export type TlsResult =
  | "success"
  | "starttls-not-supported"
  | "certificate-host-mismatch"
  | "certificate-expired"
  | "certificate-not-trusted"
  | "validation-failure"
  | "tlsa-invalid"
  | "dnssec-invalid"
  | "sts-policy-fetch-error"

export const noPolicy: ReportedPolicy = { type: "no-policy-found", lines: [] }

/** What no policy enforces, but one wants to be told of. */
export type TlsDoubt = { result: Exclude<TlsResult, "success"> }

type Session = Pick<DeliveryAttempt, "phase" | "code" | "tls" | "text" | "certificateFault">

/**
 * Null where the session ended before encryption was due.
 * @param isFallback encryption was offered and failed, so that the session has none
 * @param isTesting a policy is tested: its certificate is judged, though nothing depends on it
 */
export function tlsResultOf(
  { phase = "connect", code, tls, text, certificateFault }: Session,
  { isFallback, isTesting }: { isFallback: boolean; isTesting: boolean },
): TlsResult | null {
  if (phase === "connect" || phase === "greeting" || phase === "ehlo") return null
  if (phase === "starttls")
    return code !== undefined || /does not offer STARTTLS/.test(text) ? "starttls-not-supported" : faultOf(text)
  if (tls === undefined) return isFallback ? "validation-failure" : "starttls-not-supported"
  return isTesting && certificateFault !== undefined ? faultOf(certificateFault) : "success"
}

/** Codes and sentences of Node.js and OpenSSL, and of our own checks. */
function faultOf(text: string): Exclude<TlsResult, "success"> {
  if (/ALTNAME|altnames|certificate is not for/i.test(text)) return "certificate-host-mismatch"
  if (/HAS_EXPIRED|has expired/i.test(text)) return "certificate-expired"
  return /SELF_SIGNED|UNABLE_TO_|self-signed|unable to (?:get|verify)/i.test(text)
    ? "certificate-not-trusted"
    : "validation-failure"
}

/** Sessions with one server on one day (UTC, as `YYYY-MM-DD`) that had one result. */
export type TlsCount = {
  day: string
  /** Of the recipients. */
  domain: string
  policy: ReportedPolicy
  /** The mail server; empty for what was found before one was dialled. */
  host: string
  result: TlsResult
  sessions: number
}

type TlsCounts = {
  add(session: Omit<TlsCount, "sessions">): void
  /** Writes what has not been written. */
  flush(): Promise<void>
}

const writeAfterMs = 5_000
/** More are written at once: to so many servers mail goes in a moment. */
const countsMax = 2_000

/** Counts in memory and writes every few seconds: a process that crashes loses those. */
export function createTlsCounts(write: (counts: TlsCount[]) => Promise<void>): TlsCounts {
  let counts = new Map<string, TlsCount>()
  let timer: NodeJS.Timeout | undefined

  async function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const all = [...counts.values()]
    counts = new Map()
    if (all.length === 0) return
    await write(all).catch((error: unknown) => log.warn({ err: error }, "results of TLS could not be counted"))
  }

  return {
    add(session) {
      const key = [session.day, session.domain, session.policy.type, session.host, session.result].join(" ")
      const before = counts.get(key)?.sessions ?? 0
      counts.set(key, { ...session, sessions: before + 1 })
      if (counts.size >= countsMax) void flush()
      else timer ??= setTimeout(() => void flush(), writeAfterMs).unref()
    },
    flush,
  }
}
