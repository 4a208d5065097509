import { timingSafeEqual } from "node:crypto"
import { z } from "zod"
import { hmac } from "@/lib/platform/crypto"
import { Cell, type CellAddress } from "@/lib/platform/env/fields"
import { env } from "@/lib/platform/env/env"
import { readAtMost } from "@/lib/platform/http/request-body"
import { log } from "@/lib/platform/log"
import { isUnavailable } from "@/lib/platform/database/sql-errors"
import type { Answer } from "@/lib/platform/http/answer"
import type { Asked } from "@/lib/platform/http/endpoint"

// What the cells of one service ask each other, by the secret that all of them have.

/** Beside the hook of SES: a proxy in front of a cell keeps `/internal/` from outside, where the other cells are. */
export const cellsPath = "/hooks/cells"

const questionBytesMax = 8 * 1024
const namesMax = 8

const Name = z.string().min(1).max(253)
const ends = { from: Cell, to: Cell }

const Question = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("mail-from"), names: z.array(Name).min(1).max(namesMax), ...ends }),
  z.strictObject({ kind: z.literal("account"), email: z.string().min(1).max(320), ...ends }),
])
type Question = z.output<typeof Question>

/** As it is sent. */
const QuestionText = z
  .string()
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text)
    } catch {
      context.addIssue({ code: "custom", message: "is no JSON." })
      return z.NEVER
    }
  })
  .pipe(Question)

/** Of the names, those that are in use, and those that are about to be unless another cell has them. */
export const MailFromAnswer = z.strictObject({
  used: z.array(Name).max(namesMax),
  reserved: z.array(Name).max(namesMax),
})
export type MailFromAnswer = z.output<typeof MailFromAnswer>
const AccountAnswer = z.strictObject({ exists: z.boolean() })

/** Longer than a request takes and clocks differ; a question that is repeated meanwhile changes nothing. */
const validSeconds = 30

/** The headers that prove who asks. */
export function questionHeaders(body: string, now: Date): Record<string, string> {
  const time = String(Math.floor(now.getTime() / 1_000))
  return { "Mailroom-Time": time, "Mailroom-Signature": signed(time, body).toString("base64url") }
}

function isSigned(body: string, headers: Pick<Headers, "get">, now: Date): boolean {
  const time = headers.get("mailroom-time") ?? ""
  const given = Buffer.from(headers.get("mailroom-signature") ?? "", "base64url")
  const expected = signed(time, body)
  const isRecent = /^\d{1,12}$/.test(time) && Math.abs(now.getTime() / 1_000 - Number(time)) <= validSeconds
  return given.length === expected.length && timingSafeEqual(given, expected) && isRecent
}

function signed(time: string, body: string): Buffer {
  return hmac("cells", `${time}.${body}`)
}

/** `silent`: the cells that gave no answer in time, or none that can be read. */
export type Answers<T> = { answers: { peer: CellAddress; answer: T }[]; silent: CellAddress[] }

const waitMs = 2_000
const answerBytesMax = 8 * 1024

/** Which of these MAIL FROM domains the other cells use or have reserved. */
export function askMailFrom(names: readonly string[]): Promise<Answers<MailFromAnswer>> {
  return askAll({ kind: "mail-from", names: [...names] }, MailFromAnswer)
}

/** Whether somebody signs in with this address in the other cells. */
export function askAccount(email: string): Promise<Answers<{ exists: boolean }>> {
  return askAll({ kind: "account", email }, AccountAnswer)
}

type CellQuestion = Question extends infer Q ? (Q extends Question ? Omit<Q, "from" | "to"> : never) : never

async function askAll<T>(question: CellQuestion, Answer: z.ZodType<T>): Promise<Answers<T>> {
  const { cell: from, peers } = env()
  const answers: Answers<T>["answers"] = []
  const silent: CellAddress[] = []
  await Promise.all(
    peers.map(async (peer) => {
      try {
        const body = JSON.stringify({ ...question, from, to: peer.cell })
        answers.push({ peer, answer: Answer.parse(await ask(peer.address, body)) })
      } catch (error) {
        log.warn({ err: error, cell: peer.cell }, "another cell did not answer")
        silent.push(peer)
      }
    }),
  )
  return { answers, silent }
}

async function ask(address: string, body: string): Promise<unknown> {
  const signal = AbortSignal.timeout(waitMs)
  const response = await fetch(`${address}${cellsPath}`, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...questionHeaders(body, new Date()) },
    body,
    redirect: "error",
    signal,
  })
  const text = await readAtMost(response.body, answerBytesMax, signal)
  if (response.status !== 200 || text === null) throw new Error(`It answered ${response.status}.`)
  return JSON.parse(text)
}

/** What a cell knows of itself. `asker` is the name of the cell that wants to know. */
type Known = {
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
