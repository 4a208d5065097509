import { cutDetail } from "@/lib/platform/http/problem"

/** What the log of requests keeps of what was asked and made: ids and the idempotency key, nothing else of a body. */
export type RequestFacts = {
  /** Public ids of what the request made. */
  made: string[]
  /** Public id of what the path names, below the project. */
  named?: string
  idempotencyKey?: string
}

/** As many as a batch has items. */
export const madeMax = 100

const idempotencyKeyCharsMax = 256

/** Notes what the path names; also of a request that is refused. */
export function noteNamed(facts: RequestFacts, path: Record<string, string>) {
  const named = Object.entries(path).findLast(([name, text]) => name !== "projectId" && isPublicId(text))
  if (named) facts.named = named[1]
}

/** Notes the idempotency key of a body, whether the request is refused or not. */
export function noteGiven(facts: RequestFacts, body: unknown) {
  const key = isRecord(body) ? body.idempotencyKey : undefined
  if (typeof key === "string") facts.idempotencyKey = loggable(key, idempotencyKeyCharsMax)
}

/** Notes the ids in the answer to a request that may have made something: its own, or those of its items. */
export function noteMade(facts: RequestFacts, json: unknown) {
  if (!isRecord(json)) return
  const items = isPublicId(json.id) ? [json] : (Object.values(json).find(Array.isArray) ?? [])
  for (const item of items as unknown[])
    if (isRecord(item) && isPublicId(item.id) && facts.made.length < madeMax && !facts.made.includes(item.id))
      facts.made.push(item.id)
}

/** Text of a client as PostgreSQL can store it: without the character that it refuses, and bounded. */
export function loggable(text: string, charsMax: number): string {
  return cutDetail(text.replaceAll("\0", "\uFFFD"), charsMax)
}

function isPublicId(value: unknown): value is string {
  return typeof value === "string" && /^[a-z]{2,5}_[0-9a-z]{26}$/.test(value)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null
}
