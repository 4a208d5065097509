import { setTimeout as wait } from "node:timers/promises"

/** With as many keys as keep every bucket open, also where each send is tried many times. */
export type Sender = { baseUrl: string; apiKeys: readonly string[]; from: string }

/** What a caller was told: the status and code of ours, or who else refused. */
export type Answer = { at: number; said: string }

export type Traffic = {
  answers: readonly Answer[]
  /** Keys of sends that were accepted, each with the ids that were answered for it. */
  accepted: ReadonlyMap<string, ReadonlySet<string>>
  /** No further sends; resolves once each of them was accepted, and rejects where one was not within two minutes. */
  stop(): Promise<void>
}

const givenUpAfterMs = 120_000
const answerWithinMs = 30_000
/** As our refusals say. */
const retryAfterMs = 1_000

/** So many sends a second, each with a key and sent again until it is accepted, as a careful client does. */
export function startTraffic(sender: Sender, perSecond: number): Traffic {
  const answers: Answer[] = []
  const accepted = new Map<string, Set<string>>()
  const sends: Promise<void>[] = []
  let faults = 0
  let next = 0
  const timer = setInterval(() => {
    const key = `cluster-${next++}`
    sends.push(sendUntilAccepted(sender, key, { answers, accepted }).catch(() => void (faults += 1)))
  }, 1_000 / perSecond)
  return {
    answers,
    accepted,
    async stop() {
      clearInterval(timer)
      await Promise.all(sends)
      if (faults > 0) throw new Error(`${faults} sends were not accepted within two minutes.`)
    },
  }
}

async function sendUntilAccepted(
  sender: Sender,
  key: string,
  { answers, accepted }: { answers: Answer[]; accepted: Map<string, Set<string>> },
) {
  const deadline = Date.now() + givenUpAfterMs
  while (Date.now() < deadline) {
    const { said, id } = await sendOnce(sender, key)
    answers.push({ at: Date.now(), said })
    if (id !== undefined) return void accepted.set(key, (accepted.get(key) ?? new Set()).add(id))
    await wait(retryAfterMs)
  }
  throw new Error(`${key} was not accepted.`)
}

let tries = 0

async function sendOnce({ baseUrl, apiKeys, from }: Sender, key: string): Promise<{ said: string; id?: string }> {
  const apiKey = apiKeys[tries++ % apiKeys.length]
  try {
    const answer = await fetch(`${baseUrl}/v1/emails`, {
      method: "POST",
      headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
      body: JSON.stringify({ from, to: ["ada@lovelace.example"], subject: key, text: "Hi", idempotencyKey: key }),
      signal: AbortSignal.timeout(answerWithinMs),
    })
    const text = await answer.text()
    if (answer.headers.get("content-type")?.includes("json") !== true)
      return { said: `${answer.status} of the balancer` }
    const { id, code } = JSON.parse(text) as { id?: string; code?: string }
    if (answer.ok && id !== undefined) return { said: "accepted", id }
    const retry = answer.headers.get("retry-after") === null ? "" : " with Retry-After"
    return { said: `${answer.status} ${code}${retry}` }
  } catch (error) {
    return { said: error instanceof Error && error.name === "TimeoutError" ? "no answer" : "connection lost" }
  }
}

/** The longest time without one of these moments, from `start` to `end`, in seconds. */
export function longestGap(moments: readonly number[], start: number, end: number): number {
  const within = [start, ...moments.filter((at) => at >= start && at <= end).toSorted((a, b) => a - b), end]
  return Math.max(...within.slice(1).map((at, place) => at - (within[place] ?? start))) / 1_000
}
