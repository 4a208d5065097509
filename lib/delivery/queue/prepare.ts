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
