import { isSigned, type MailFromAnswer, QuestionText, questionBytesMax } from "@/lib/platform/cells/question"
import { isUnavailable } from "@/lib/platform/database/sql-errors"
import { env } from "@/lib/platform/env/env"
import type { Answer } from "@/lib/platform/http/answer"
import type { Asked } from "@/lib/platform/http/asked"
import { readAtMost } from "@/lib/platform/http/read-at-most"
import { log } from "@/lib/platform/log"

/** What a cell knows of itself. `asker` is the name of the cell that wants to know. */
export type Known = {
  takenMailFrom(names: readonly string[], asker: string): Promise<MailFromAnswer>
  hasAccount(email: string): Promise<boolean>
}

/**
 * Answers another cell. To everybody else nothing is here: 404, also for a question that is old. 421 for one that was meant for
 * another cell, 400 for one that this version does not know.
 */
export async function answerCell(asked: Asked, known: Known): Promise<Answer> {
  const { cell } = env()
  const body = cell === undefined ? null : await readAtMost(asked.body, questionBytesMax)
  if (body === null || !isSigned(body, asked.headers, new Date())) return answer(404)
  const { data: question } = QuestionText.safeParse(body)
  if (!question) return answer(400)
  if (question.to !== cell) return answer(421)
  try {
    if (question.kind === "account") return answer(200, { exists: await known.hasAccount(question.email) })
    return answer(200, await known.takenMailFrom(question.names, question.from))
  } catch (error) {
    if (!isUnavailable(error)) log.error({ err: error }, "another cell could not be answered")
    return answer(503)
  }
}

function answer(status: number, json?: object): Answer {
  const headers = { "Content-Type": "application/json", "Cache-Control": "no-store" }
  return { status, headers, body: JSON.stringify(json ?? {}) }
}
