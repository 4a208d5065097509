import type { AddressRange } from "@/lib/platform/http/address-range-rules"
import { cutDetail } from "@/lib/platform/http/problem"

/** Who is asking. */
export type Principal = KeyPrincipal | SessionPrincipal

export type KeyPrincipal = {
  kind: "key"
  keyId: string
  projectId: string
  organizationId: string
  permissions: ReadonlySet<string>
  /** Where it works from; null: anywhere. */
  addresses: readonly AddressRange[] | null
  /** The domains that it sends from; null: all of its project. */
  domains: ReadonlySet<string> | null
}

export type SessionPrincipal = {
  kind: "session"
  sessionId: string
  userId: string
  email: string
  name: string | null
  /** Role by organization id, of those whose projects the user may see. */
  roles: ReadonlyMap<string, string>
  /** Organizations of the user that require a second factor, which the user does not have. */
  withheld: ReadonlySet<string>
  /** Runs the installation, above all organizations. */
  operator: boolean
}

export type ProjectInScope = {
  id: string
  organizationId: string
  name: string
  slug: string
  region: string
  suspended: boolean
  maxRecipients: number
}

/**
 * The authority to act on one project, made by the guard alone: stores take it first, so nothing can be called
 * unscoped.
 */
export type Scope = {
  project: ProjectInScope
  organization: { id: string; multiRegion: boolean }
  principal: Principal
  request: RequestInfo
}

/** The authority to act on the organizations that the caller belongs to. */
export type OrganizationScope = {
  organizationIds: readonly string[]
  principal: Principal
  request: RequestInfo
}

export type RequestInfo = {
  id: string
  ip: string
  headers: Pick<Headers, "get">
  signal: AbortSignal
  /** Of a request that has a rate limit, for an operation that counts it by a statement of its own. */
  count?: RateCount
  /** For the log of requests. */
  facts?: RequestFacts
}

/** The window of a rate limit in which a request counts, and how many requests it allows. */
export type RateWindow = { key: string; windowMs: number; requests: number }

/** How many requests the window has counted with this one, and the time to its end. */
export type Taken = { count: number; msToEnd: number }

/**
 * The count of one request in its rate limit window. Every request is counted once, before its answer: by a statement of its own, or
 * by one that its operation makes anyway (`Endpoint.countsInRun`).
 */
export type RateCount = {
  /** The rate limit that counts it. */
  readonly policy: string
  /** Where the request is still to be counted; null once it is. */
  readonly due: RateWindow | null
  /** The X-RateLimit headers; none until it is counted. */
  readonly headers: Record<string, string>
  /** Counts the request, unless that is done. @throws Problem 429 */
  take(): Promise<void>
  /** Tells what a statement of the operation has counted. @throws Problem 429 */
  settle(taken: Taken): void
}

/** What the log of requests keeps of what was asked and made: ids and the idempotency key, nothing else of a body. */
export type RequestFacts = {
  /** Public ids of what the request made. */
  made: string[]
  /** Public id of what the path names, below the project. */
  named?: string
  idempotencyKey?: string
  /** Permissions of the key that were asked for beside that of the operation. */
  alsoUsed?: string[]
}

/** As many as a batch has items. */
const madeMax = 100

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

/** Notes a permission of the key that let a part of the request through. */
export function noteUsed(facts: RequestFacts, permission: string) {
  facts.alsoUsed ??= []
  if (!facts.alsoUsed.includes(permission)) facts.alsoUsed.push(permission)
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
