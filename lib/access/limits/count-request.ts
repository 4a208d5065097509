import { addedTo, takenOf } from "@/lib/access/limits/windows"
import { countInWindows } from "@/lib/access/limits/windows-sql"
import type { RateWindow, Taken } from "@/lib/platform/http/rate-count"

type Waiter = { window: RateWindow; resolve: (taken: Taken) => void; reject: (error: unknown) => void }

/** Statements of this process under way, and the requests that share one at most. */
const statementsMax = 2
const groupMax = 200

const waiting: Waiter[] = []
let underWay = 0
let scheduled: NodeJS.Immediate | undefined

/**
 * Adds one request to its window. Exact over all processes: one counter in the database. Waiting requests of this process share one
 * statement, whatever their window, and are counted in order.
 */
export function countRequest(window: RateWindow): Promise<Taken> {
  return new Promise((resolve, reject) => {
    waiting.push({ window, resolve, reject })
    // After the other requests of this event loop iteration: under load most requests then share a statement.
    if (!scheduled) scheduled = setImmediate(serve)
  })
}

function serve() {
  scheduled = undefined
  if (waiting.length && underWay < statementsMax) void serveWaiting()
}

async function serveWaiting() {
  underWay += 1
  while (waiting.length) await serveGroup(waiting.splice(0, groupMax))
  underWay -= 1
}

async function serveGroup(group: Waiter[]) {
  try {
    const windows = group.map(({ window }) => window)
    const taken = takenOf(windows, await countInWindows(addedTo(windows)))
    for (const [at, { resolve }] of group.entries()) resolve(taken[at] as Taken)
  } catch (error) {
    for (const { reject } of group) reject(error)
  }
}
