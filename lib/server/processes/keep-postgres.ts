import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { openPostgres, type EmbeddedPostgres } from "@/lib/platform/postgres/open"
import { rotateInPlace } from "@/lib/server/processes/logs"
import { print } from "@/lib/server/processes/print"

const checkEveryMs = 2_000
/** A log that a defect fills grows by megabytes in that time, not by more. */
const rotateEveryMs = 20_000

/**
 * Restarts the embedded server when it ends by itself (a full disk without room for its write-ahead log ends it), as
 * often as needed, on the same port; keeps its log within its limit.
 */
export function keepRunning(first: EmbeddedPostgres, options: Parameters<typeof openPostgres>[0]) {
  let server = first
  const printed = new Set<string>()
  const stopped = new AbortController()
  const loop = async () => {
    for (let checks = 1; !stopped.signal.aborted; checks++) {
      await wait(checkEveryMs, undefined, { signal: stopped.signal }).catch(() => undefined)
      if (checks % (rotateEveryMs / checkEveryMs) === 0)
        await rotateInPlace(join(options.dataDir, "logs", "postgres.log")).catch(() => undefined)
      if (stopped.signal.aborted || server.isRunning()) continue
      server = await restarted(server)
    }
  }

  async function restarted(ended: EmbeddedPostgres): Promise<EmbeddedPostgres> {
    printOnce("PostgreSQL ended; starting it again.")
    try {
      const server = await openPostgres(options)
      printed.clear()
      if (server.url !== first.url) print("PostgreSQL had to use another port: stop and start Mailroom again.")
      return server
    } catch (error) {
      printOnce((error as Error).message)
      return ended
    }
  }

  /** A disk that is full for an hour is a few sentences, not thousands. */
  function printOnce(sentence: string) {
    const [kind = ""] = sentence.split("\n", 1)
    if (!printed.has(kind)) print(sentence)
    printed.add(kind)
  }

  const looping = loop()
  return {
    /** Ends the watch, waiting for a restart in progress; returns the running server, for the caller to close. */
    async stop(): Promise<EmbeddedPostgres> {
      stopped.abort()
      await looping
      return server
    },
  }
}
