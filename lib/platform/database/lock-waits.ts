import { setTimeout as sleep } from "node:timers/promises"
import type pg from "pg"
import { hourMs } from "@/lib/platform/time"
import { newClient } from "@/lib/platform/database/client"
import { lockNotAvailable, sqlState } from "@/lib/platform/database/sql-errors"

/**
 * A statement that waits for a lock makes every later one of the table wait behind it, reads too. So it gives up after a second,
 * lets the others pass, and tries again.
 */
export const lockTimeout = "1s"
const pauseMs = { first: 1_000, most: 10_000 }
/** As long as a backup may take. */
const patienceMs = 6 * hourMs
const lookEveryMs = 500

/** Runs `work`, which sets `lock_timeout`, until it gets its locks. */
export async function untilUnlocked<T>(work: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + patienceMs
  for (let ms = pauseMs.first; ; ms = Math.min(2 * ms, pauseMs.most)) {
    try {
      return await work()
    } catch (error) {
      if (sqlState(error) !== lockNotAvailable || performance.now() > deadline) throw error
      await sleep(ms)
    }
  }
}

/** Names, once each, whose transactions the session `pid` waits for while `work` runs. */
export async function tellingBlockers<T>(
  {
    databaseUrl,
    pid,
    what,
    tell,
  }: { databaseUrl: string; pid: number; what: () => string; tell: (sentence: string) => void },
  work: () => Promise<T>,
): Promise<T> {
  const watcher = newClient(databaseUrl, "mailroom migrations, watch")
  const ended = new AbortController()
  const told = new Set<string>()
  const watching = (async () => {
    // Most migrations are over before that.
    await sleep(lookEveryMs, undefined, { signal: ended.signal })
    await watcher.connect()
    for (; !ended.signal.aborted; await sleep(lookEveryMs, undefined, { signal: ended.signal })) {
      for (const blocker of await blockersOf(watcher, pid)) {
        const sentence = `${what()} waits for ${blocker}. It tries again until that has ended; meanwhile Mailroom runs on as it was.`
        if (!told.has(sentence)) tell(sentence)
        told.add(sentence)
      }
    }
  })().catch(() => undefined)
  try {
    return await work()
  } finally {
    ended.abort()
    await watching
    await watcher.end().catch(() => undefined)
  }
}

type Blocker = { pid: number; role: string | null; application: string | null; since: Date | null }

/** Without the one that looks: an index that is built beside other work waits for every statement, so for this one too. */
async function blockersOf(watcher: pg.Client, pid: number): Promise<string[]> {
  const { rows } = await watcher.query<Blocker>(
    `select b.pid, a.usename as role, a.application_name as application, a.xact_start as since
      from unnest(pg_blocking_pids($1)) as b(pid) left join pg_stat_activity a on a.pid = b.pid
      where b.pid <> pg_backend_pid()`,
    [pid],
  )
  return rows.map(({ role, application, since, pid }) => {
    const name = application || "a session"
    const from = since ? `, in a transaction since ${since.toISOString().slice(0, 19)}Z` : ""
    return `${name} (role ${role ?? "unknown"}, process ${pid}${from})`
  })
}
