import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { openPostgres, type EmbeddedPostgres } from "@/lib/platform/postgres/open"
import { rotateInPlace } from "@/lib/cli/supervisor/log-file"
import { say } from "@/lib/cli/say"

const checkEveryMs = 1_000

/**
 * Starts the embedded server again when it ends by itself (a disk without room for its write-ahead log ends it), for as
 * long as it takes, on the same port; keeps its log within its limit.
 */
export function keepRunning(first: EmbeddedPostgres, options: Parameters<typeof openPostgres>[0]) {
  let server = first
  const said = new Set<string>()
  const stopped = new AbortController()
  const loop = async () => {
    while (!stopped.signal.aborted) {
      await wait(checkEveryMs, undefined, { signal: stopped.signal }).catch(() => undefined)
      await rotateInPlace(join(options.dataDir, "logs", "postgres.log")).catch(() => undefined)
      if (stopped.signal.aborted || server.isRunning()) continue
      server = await restarted(server)
    }
  }

  async function restarted(ended: EmbeddedPostgres): Promise<EmbeddedPostgres> {
    sayOnce("PostgreSQL ended; starting it again.")
    try {
      const server = await openPostgres(options)
      said.clear()
      if (server.url !== first.url) say("PostgreSQL had to take another port: stop and start again.")
      return server
    } catch (error) {
      sayOnce((error as Error).message)
      return ended
    }
  }

  /** A disk that is full for an hour is a few sentences, not thousands. */
  function sayOnce(sentence: string) {
    const [kind = ""] = sentence.split("\n", 1)
    if (!said.has(kind)) say(sentence)
    said.add(kind)
  }

  const looping = loop()
  return {
    /** Ends the watch, a start under way included; the server that runs now is the one to close. */
    async stop(): Promise<EmbeddedPostgres> {
      stopped.abort()
      await looping
      return server
    },
  }
}
