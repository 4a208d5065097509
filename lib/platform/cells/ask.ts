import { z } from "zod"
import { AccountAnswer, cellsPath, MailFromAnswer, type Question, questionHeaders } from "@/lib/platform/cells/question"
import { env } from "@/lib/platform/env/env"
import type { CellAddress } from "@/lib/platform/env/fields"
import { readAtMost } from "@/lib/platform/http/read-at-most"
import { log } from "@/lib/platform/log"

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

type Asked = Question extends infer Q ? (Q extends Question ? Omit<Q, "from" | "to"> : never) : never

async function askAll<T>(question: Asked, Answer: z.ZodType<T>): Promise<Answers<T>> {
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
  const response = await fetch(`${address}${cellsPath}`, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...questionHeaders(body, new Date()) },
    body,
    redirect: "error",
    signal: AbortSignal.timeout(waitMs),
  })
  const text = await readAtMost(response.body, answerBytesMax)
  if (response.status !== 200 || text === null) throw new Error(`It answered ${response.status}.`)
  return JSON.parse(text)
}
