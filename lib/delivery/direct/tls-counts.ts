import type { ReportedPolicy, TlsResult } from "@/lib/delivery/direct/tls-result"
import { log } from "@/lib/platform/log"

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

export type TlsCounts = {
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
