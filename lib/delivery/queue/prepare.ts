import { type Claimed, putBack } from "@/lib/delivery/queue/claims/data"
import {
  findMessages,
  findOptedOut,
  findSuppressed,
  type Message,
  type Suppressed,
} from "@/lib/delivery/queue/claims/messages-sql"
import { log } from "@/lib/platform/log"
import { isUnavailable } from "@/lib/platform/database/sql-errors"

/** A claimed delivery with its message and suppression at that moment; no message if it was deleted meanwhile. */
export type Work = { claimed: Claimed; message?: Message; suppressed?: Suppressed }

/** Loads what a batch of claims needs; one that cannot be read is retried when its lease ends. */
export async function prepareWork(claimed: readonly Claimed[]): Promise<Work[]> {
  try {
    return await read(claimed)
  } catch (error) {
    if (claimed.length < 2 || isUnavailable(error)) throw error
    const alone = await Promise.allSettled(claimed.map((one) => read([one])))
    return alone.flatMap((each) => (each.status === "fulfilled" ? each.value : []))
  }
}

/** Two queries, and a third for mail of topics. */
async function read(claimed: readonly Claimed[]): Promise<Work[]> {
  if (claimed.length === 0) return []
  const [messages, suppressed] = await Promise.all([findMessages(claimed), findSuppressed(claimed)])
  const ofTopics = claimed.flatMap((one) => {
    const topicId = messages.get(one.emailId)?.topicId
    return topicId ? [{ claimed: one, topicId }] : []
  })
  const optedOut = await findOptedOut(ofTopics)
  return claimed.map((one) => ({
    claimed: one,
    message: messages.get(one.emailId),
    suppressed: suppressed.get(one.id) ?? optedOut.get(one.id),
  }))
}

const putBackPauseMs = 250

/** Undoes claims before any work on them, retrying until their leases end: a failing database must not count against them. */
export async function putBackUntouched(
  claimed: readonly Claimed[],
  leaseMs: number,
  signal: AbortSignal,
): Promise<void> {
  for (const end = performance.now() + leaseMs; performance.now() < end;) {
    try {
      return await putBack(claimed, 0)
    } catch (error) {
      log.warn({ err: error, claims: claimed.length }, "claims could not be given back")
      if (signal.aborted) return
      await new Promise((resolve) => setTimeout(resolve, putBackPauseMs))
    }
  }
}

/** Claims in a row that may end without an outcome before a delivery is suspected of crashing the worker. */
const endingsMax = 3
/** Between the next claims of waiting suspects. */
const apartSeconds = 0.2

type Suspects = {
  /** Returns the claims that may be worked on now. */
  admit(claimed: Claimed[]): Promise<Claimed[]>
  left(claimed: Claimed): void
}

/**
 * A process that crashes loses every delivery that it held, and each of those claims counts against its delivery. From
 * the fourth in a row on, suspects are worked on one at a time: then only the mail that causes the crash is given up, and
 * not those that were merely running beside it.
 */
export function createSuspects(aloneMs = 5_000): Suspects {
  let admitted: Claimed | undefined
  let since = 0

  return {
    async admit(claimed) {
      const suspects = claimed.filter(({ unfinished }) => unfinished > endingsMax)
      if (suspects.length === 0) return claimed
      // A delivery that merely waits for a silent server is not what crashes the process.
      if (performance.now() - since >= aloneMs) admitted = undefined
      const chosen = admitted
        ? undefined
        : suspects.reduce((one, other) => (other.unfinished < one.unfinished ? other : one))
      const others = suspects.filter((one) => one !== chosen)
      if (chosen) [admitted, since] = [chosen, performance.now()]
      try {
        if (others.length > 0) await putBack(others, apartSeconds)
      } catch (error) {
        if (admitted === chosen) admitted = undefined
        throw error
      }
      return claimed.filter((one) => !others.includes(one))
    },
    left(claimed) {
      if (admitted === claimed) admitted = undefined
    },
  }
}
