import { setTimeout as wait } from "node:timers/promises"
import { endReservation, reserveName } from "@/lib/access/limits/data"
import { type Claim, takenMailFrom } from "@/lib/domains/registration/data"
import { type Answers, askMailFrom, type MailFromAnswer, answerCell } from "@/lib/platform/cells/questions"
import { env } from "@/lib/platform/env/env"
import type { CellAddress } from "@/lib/platform/env/fields"
import { serviceUnavailable } from "@/lib/platform/http/problems"
import { log } from "@/lib/platform/log"
import { signsInHere } from "@/lib/access/people/data"
import type { Answer } from "@/lib/platform/http/answer"
import type { Asked } from "@/lib/platform/http/endpoint"

// All cells of a service have one service domain, so bounces to a MAIL FROM domain belong to one of them.

/** Those of the names that another cell uses or is about to use. @throws serviceUnavailable if a cell does not answer */
export async function mailFromElsewhere(names: readonly string[]): Promise<string[]> {
  return (await ask(names)).flatMap(({ answer }) => [...answer.used, ...answer.reserved])
}

/** Of a name that needs no claim. */
export const ours: Claim = { take: async () => true }

const againAfterMs = 250
/** A cell that gives way does so in the time of a question. */
const giveWayMs = 3_000

/**
 * Has `work` store a MAIL FROM domain that no other cell has. It is reserved first and asked for then, so that of two cells that want it
 * in the same moment at least one hears of the other; that one gives way whose name comes later. What settles it is no time, as
 * clocks differ and what was begun first may be committed last.
 * @throws serviceUnavailable if a cell does not answer; nothing is stored then
 */
export async function withMailFrom<T>(
  name: string,
  work: (claim: Claim) => Promise<T>,
): Promise<T | "mail-from-taken"> {
  if (env().peers.length === 0) return work(ours)
  const id = await reserveName(name)
  try {
    if (!(await isOurs(name))) return "mail-from-taken"
    return await work({ take: (tx) => endReservation(id, tx) })
  } finally {
    await endReservation(id).catch((error: unknown) => log.warn({ err: error }, "a name could not be given back"))
  }
}

async function isOurs(name: string): Promise<boolean> {
  const own = env().cell ?? ""
  const deadline = performance.now() + giveWayMs
  for (;;) {
    const answers = await ask([name])
    if (answers.some(({ answer }) => answer.used.length > 0)) return false
    const wanting = answers.filter(({ answer }) => answer.reserved.length > 0)
    if (wanting.length === 0) return true
    if (wanting.some(({ peer }) => peer.cell < own) || performance.now() > deadline) return false
    await wait(againAfterMs)
  }
}

async function ask(names: readonly string[]): Promise<Answers<MailFromAnswer>["answers"]> {
  const { answers, silent } = await askMailFrom(names)
  if (silent.length > 0) throw unanswered(silent)
  return answers
}

function unanswered(silent: readonly CellAddress[]) {
  const cells = silent.map(({ cell }) => cell).join(", ")
  return serviceUnavailable(
    `Other cells of this service did not answer (${cells}), so whether the MAIL FROM domain is free is unknown. Nothing was stored. Try again later.`,
    { retryAfterSeconds: 5 },
  )
}

/** Answers what another cell of the service asks: which MAIL FROM domains are used here, and who signs in here. */
export function answerOfCell(asked: Asked): Promise<Answer> {
  return answerCell(asked, { takenMailFrom, hasAccount: signsInHere })
}
