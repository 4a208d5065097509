import type { Response } from "@/lib/platform/outbound/request"
import { TargetRefused } from "@/lib/platform/outbound/resolve"
import { cutText } from "@/lib/platform/text"

/** A webhook delivery that this worker holds until its lease ends. */
export type ClaimedDelivery = {
  id: string
  projectId: string
  organizationId: string
  webhookId: string
  eventId: string
  eventType: string
  body: string
  /** The fencing token. */
  attempt: number
  /** Attempts that have ended. */
  attemptCount: number
  url: string
  /** Sealed: the current secret, then the former one while it still signs. */
  sealedSecrets: Buffer[]
}

/** An attempt in the history of its delivery: when it was made, and how it ended. */
export type WebhookAttemptRecord = {
  at: string
  durationMs: number
  statusCode?: number
  error?: string
  /** The header of that name; missing where nothing was signed. */
  signature?: string
}

/** How an attempt ended, as it is written. */
export type WebhookOutcome = {
  id: string
  attempt: number
  status: "success" | "pending" | "failed"
  /** Until the next attempt; null for none. */
  waitSeconds: number | null
  /** 1 for an attempt that counts, 0 for one that was given back. */
  tried: 0 | 1
  statusCode: number | null
  error: string | null
  snippet: string | null
  /** What it says about the endpoint; null for nothing. */
  healthy: boolean | null
  /** The endpoint asked never to be called again. */
  gone: boolean
  /** For the history; null for an attempt that was given back. */
  record: WebhookAttemptRecord | null
}

const timeoutSeconds = 15
export const timeoutMs = timeoutSeconds * 1_000
const snippetBytesMax = 4 * 1024
const errorCharsMax = 300

type Facts = Pick<ClaimedDelivery, "id" | "attempt" | "attemptCount" | "eventType">
type At = { now: Date; random: number }

/** Only 2xx is success: a redirect is a failure, and 410 the last one. */
export function answered(facts: Facts, response: Response, at: At): WebhookOutcome {
  const { status, snippet } = response
  const shown = { statusCode: status, snippet: snippetOf(snippet) }
  if (status >= 200 && status < 300)
    return { ...base(facts), ...shown, status: "success", healthy: healthOf(facts, true) }
  const error = `The endpoint answered ${status}.`
  if (status === 410)
    return { ...base(facts), ...shown, status: "failed", error, healthy: healthOf(facts, false), gone: true }
  return { ...failed(facts, error, at, retryAfterSeconds(response.retryAfter, at.now)), ...shown }
}

/** No response, or none that could be read. */
export function unanswered(facts: Facts, error: unknown, at: At): WebhookOutcome {
  return failed(facts, cutText(sentenceOf(error), errorCharsMax), at)
}

/** The outcome with its place in the history of the delivery. */
export function recorded(
  outcome: WebhookOutcome,
  sent: Pick<WebhookAttemptRecord, "at" | "durationMs" | "signature">,
): WebhookOutcome {
  if (!outcome.tried) return outcome
  const { statusCode, error } = outcome
  return { ...outcome, record: { ...sent, ...(statusCode && { statusCode }), ...(error && { error }) } }
}

/** Given back: the worker stops before it knows the end. The next attempt is made at once. */
export function releaseWebhook(facts: Facts): WebhookOutcome {
  return { ...base(facts), status: "pending", waitSeconds: 0, tried: 0 }
}

function failed(facts: Facts, error: string, { random }: At, retryAfter = 0): WebhookOutcome {
  // Whoever tests an endpoint watches the answer, and tests again.
  const waitSeconds = isTest(facts) ? null : nextWaitSeconds(facts.attemptCount + 1, random, retryAfter)
  const status = waitSeconds === null ? "failed" : "pending"
  return { ...base(facts), status, waitSeconds, error, healthy: healthOf(facts, false) }
}

function base({ id, attempt }: Facts): WebhookOutcome {
  return {
    ...{ id, attempt, status: "failed", waitSeconds: null, tried: 1 },
    ...{ statusCode: null, error: null, snippet: null, healthy: null, gone: false, record: null },
  }
}

/** A failed test says nothing about real events. */
function healthOf(facts: Facts, healthy: boolean): boolean | null {
  return isTest(facts) ? null : healthy
}

function isTest({ eventType }: Facts): boolean {
  return eventType === "webhook.test"
}

function sentenceOf(error: unknown): string {
  if (error instanceof TargetRefused) return error.message
  if (!(error instanceof Error)) return "The request failed."
  if (error.name === "TimeoutError" || (error.cause instanceof Error && error.cause.name === "TimeoutError"))
    return `No response within ${timeoutSeconds} seconds.`
  // Of several addresses each has its own error.
  const first = error instanceof AggregateError && error.errors[0] instanceof Error ? error.errors[0] : error
  return `The request failed: ${first.message || error.name}`
}

/** The beginning of a response as text; bytes that are none become replacement characters. */
function snippetOf(bytes: Buffer): string | null {
  // As a stream, so that a character which is cut at the end is left out.
  const text = cutText(new TextDecoder().decode(bytes.subarray(0, snippetBytesMax), { stream: true }), snippetBytesMax)
  const short = Buffer.byteLength(text) > snippetBytesMax ? cutText(text, snippetBytesMax / 4) : text
  return short || null
}

/** Seconds between attempts: the first is made at once, the tenth after some three days. */
const waitsSeconds = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400]

/** Random variation of each wait, so that deliveries that failed together are not retried together. */
const spread = 0.2
const waitMaxSeconds = 86_400

/**
 * Seconds until the next attempt; null when there is none.
 *
 * @param attempts attempts that ended, from 1
 * @param random a number from 0 up to 1
 * @param retryAfterSeconds what the endpoint asked for; it can only make the wait longer, up to a day
 */
export function nextWaitSeconds(attempts: number, random: number, retryAfterSeconds = 0): number | null {
  const wait = waitsSeconds[attempts - 1]
  if (wait === undefined) return null
  return Math.max(wait * (1 - spread + 2 * spread * random), Math.min(waitMaxSeconds, retryAfterSeconds))
}

/** The header `Retry-After` in seconds: a number, or a time. 0 for anything else. */
export function retryAfterSeconds(header: string | undefined, now: Date): number {
  if (!header) return 0
  if (/^[0-9]{1,9}$/.test(header)) return Number(header)
  const at = Date.parse(header)
  return Number.isNaN(at) ? 0 : Math.max(0, (at - now.getTime()) / 1_000)
}
