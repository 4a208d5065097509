import type { Send } from "@/lib/emails/admission"
import { acceptTogether, type Accepted } from "@/lib/emails/accept-store"
import { isUnavailable, LOCK_NOT_AVAILABLE, sqlState, UNIQUE_VIOLATION } from "@/lib/platform/sql-errors"

/** Sends that share one statement at most, and the bytes of their bodies. */
const GROUP_SENDS_MAX = 200
const GROUP_BYTES_MAX = 8 * 2 ** 20
/** Statements of one project under way in this process. */
const STATEMENTS_MAX = 2

/** Another request holds the same claim, or the project's quota row, for longer than the lock timeout. */
export class ClaimHeld extends Error {}

type Waiter = { send: Send; resolve: (accepted: Accepted) => void; reject: (error: unknown) => void }
type Line = { waiting: Waiter[]; underWay: number }

const lines = new Map<string, Line>()

/**
 * Accepts one send durably. Sends of one project that wait in this process share one call of `accept_sends`: no timer, so
 * a lone send pays nothing for it.
 * @throws ClaimHeld when it could not get its turn within the lock timeout (2 s)
 */
export function accept(projectId: string, send: Send): Promise<Accepted> {
  const line = lines.get(projectId) ?? { waiting: [], underWay: 0 }
  lines.set(projectId, line)
  return new Promise((resolve, reject) => {
    line.waiting.push({ send, resolve, reject })
    // A turn later, so that the items of a batch, pushed one after the other, leave together.
    queueMicrotask(() => void serveLine(projectId, line))
  })
}

async function serveLine(projectId: string, line: Line) {
  if (!line.waiting.length || line.underWay >= STATEMENTS_MAX) return
  const group = takeGroup(line)
  line.underWay++
  await acceptGroup(projectId, group)
  line.underWay--
  if (line.waiting.length) void serveLine(projectId, line)
  else if (!line.underWay) lines.delete(projectId)
}

/** The next group: bounded, and with each idempotency key once; a repeat waits for the outcome of the first. */
function takeGroup(line: Line): Waiter[] {
  const group: Waiter[] = []
  const later: Waiter[] = []
  const keys = new Set<string>()
  let bytes = 0
  for (const waiter of line.waiting) {
    const { key } = waiter.send
    const fits = group.length < GROUP_SENDS_MAX && (bytes + waiter.send.bytes <= GROUP_BYTES_MAX || !group.length)
    if (!fits || (key !== null && keys.has(key))) {
      later.push(waiter)
      continue
    }
    if (key !== null) keys.add(key)
    bytes += waiter.send.bytes
    group.push(waiter)
  }
  line.waiting = later
  return group
}

async function acceptGroup(projectId: string, group: Waiter[]) {
  try {
    const accepted = await acceptTogether(projectId, group.map(({ send }) => send))
    group.forEach(({ resolve }, index) => resolve(accepted[index] as Accepted))
  } catch (error) {
    // A database that is away or held up is so for all; one bad row fails the statement, and then each stands for itself.
    if (isUnavailable(error)) for (const waiter of group) waiter.reject(heldUp(error))
    else if (group.length > 1) for (const waiter of group) await acceptAlone(projectId, waiter)
    else if (group[0]) await retryAlone(projectId, group[0], error)
  }
}

function heldUp(error: unknown): unknown {
  return sqlState(error) === LOCK_NOT_AVAILABLE ? new ClaimHeld() : error
}

async function acceptAlone(projectId: string, waiter: Waiter) {
  try {
    const [accepted] = await acceptTogether(projectId, [waiter.send])
    waiter.resolve(accepted as Accepted)
  } catch (error) {
    await retryAlone(projectId, waiter, error)
  }
}

/** A unique violation means that another process claimed the key in between: now it can be replayed. */
async function retryAlone(projectId: string, waiter: Waiter, error: unknown) {
  if (sqlState(error) !== UNIQUE_VIOLATION || !waiter.send.key) return waiter.reject(heldUp(error))
  try {
    const [accepted] = await acceptTogether(projectId, [waiter.send])
    waiter.resolve(accepted as Accepted)
  } catch (again) {
    waiter.reject(heldUp(again))
  }
}
