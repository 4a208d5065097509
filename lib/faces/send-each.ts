import { batchSendEmails } from "@/lib/emails/send/api"
import { NewEmail } from "@/lib/emails/send/schema"
import { call, countAgain, type FieldNames, withNames } from "@/lib/faces/call"
import { parseBody } from "@/lib/platform/http/perform"
import { Problem, type ProblemDocument, problemKinds } from "@/lib/platform/http/problem"
import type { Scope } from "@/lib/platform/http/scope"
import type { Io } from "@/lib/platform/io"
import { createTurns } from "@/lib/platform/turns"

/** As many as one of our batches takes. */
const groupMax = 100

export type FaceSend = Record<string, unknown>

/**
 * Sends several emails that a caller has asked for by one request, in batches. What is wrong with one of them is found before the
 * first is sent. If the quota ends in between, the problem says how many are on their way.
 * @returns their ids
 * @throws Problem
 */
export async function sendEach(
  scope: Scope,
  count: number,
  sendAt: (index: number) => FaceSend,
  namesAt: (index: number) => FieldNames,
  io: Io,
): Promise<string[]> {
  const turn = createTurns()
  for (let index = 0; index < count; index++) {
    check(sendAt(index), namesAt(index))
    await turn()
  }
  const ids: string[] = []
  for (let from = 0; from < count; from += groupMax) {
    if (from > 0) await countAgain(scope, batchSendEmails)
    const items = Array.from({ length: Math.min(groupMax, count - from) }, (_, at) => sendAt(from + at))
    const { results } = await call(scope, batchSendEmails, { body: { items } }, io)
    const at = results.findIndex(({ problem }) => problem !== undefined)
    const refused = results[at]?.problem as ProblemDocument | undefined
    ids.push(...results.flatMap(({ id }) => id ?? []))
    if (refused) {
      const accepted = from + results.filter(({ problem }) => problem === undefined).length
      throw again(refused, accepted, count, namesAt(from + at))
    }
  }
  return ids
}

function check(send: FaceSend, names: FieldNames): void {
  try {
    parseBody(NewEmail, send)
  } catch (error) {
    if (!(error instanceof Problem) || !error.extras.errors) throw error
    const { errors, ...extras } = error.extras
    throw error.kind(error.detail, { ...extras, errors: withNames(errors, names) })
  }
}

/** The problem of one email as that of the request. */
function again(document: ProblemDocument, accepted: number, count: number, names: FieldNames): Problem {
  const kind = problemKinds().find(({ code }) => code === document.code)
  if (!kind) throw new Error(`There is no problem ${document.code}.`)
  const { errors } = ofItem(document, names)
  const sentence = accepted > 0 ? ` ${accepted} of ${count} emails were accepted and are not to be sent again.` : ""
  const detail = `${document.detail ?? ""}${sentence}`
  return kind(detail, errors ? { errors } : {})
}

/** The problem of an item of a batch, with pointers into the email that the caller has written. */
export function ofItem(document: ProblemDocument, names: FieldNames): ProblemDocument {
  const errors = document.errors?.map(({ pointer, detail }) => ({
    pointer: pointer.replace(/^\/items\/\d+/, ""),
    detail,
  }))
  return errors ? { ...document, errors: withNames(errors, names) } : document
}
