import type { Response } from "@/lib/platform/outbound/request"
import { TargetRefused, type TargetFault, targetFaultSentence } from "@/lib/platform/outbound/target"
import { cutText } from "@/lib/platform/format"
import { type ShapingFault, shapingFaults } from "@/lib/webhooks/rules"

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
  /** The code of a failure with its facts; in records of earlier releases a sentence alone. */
  error?: string
  errorFacts?: DeliveryFailure["facts"]
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
  error: DeliveryFailure["code"] | null
  /** Of the error; null without one. */
  errorFacts: DeliveryFailure["facts"] | null
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
  const failure: DeliveryFailure = { code: "answered", facts: { status } }
  const outcome = failed(facts, failure, at, retryAfterSeconds(response.retryAfter, at.now))
  return status === 410
    ? { ...outcome, ...shown, status: "failed", waitSeconds: null, gone: true }
    : { ...outcome, ...shown }
}

/** No response, or none that could be read. */
export function unanswered(facts: Facts, error: unknown, at: At): WebhookOutcome {
  return failed(facts, failureOf(error), at)
}

/** The outcome with its place in the history of the delivery. */
export function recorded(
  outcome: WebhookOutcome,
  sent: Pick<WebhookAttemptRecord, "at" | "durationMs" | "signature">,
): WebhookOutcome {
  if (!outcome.tried) return outcome
  const { statusCode, error, errorFacts } = outcome
  const failure = error && errorFacts && { error, errorFacts }
  return { ...outcome, record: { ...sent, ...(statusCode && { statusCode }), ...failure } }
}

/** Given back: the worker stops before it knows the end. The next attempt is made at once. */
export function releaseWebhook(facts: Facts): WebhookOutcome {
  return { ...base(facts), status: "pending", waitSeconds: 0, tried: 0 }
}

function failed(facts: Facts, failure: DeliveryFailure, { random }: At, retryAfter = 0): WebhookOutcome {
  // Whoever tests an endpoint watches the answer, and tests again.
  const waitSeconds = isTest(facts) ? null : nextWaitSeconds(facts.attemptCount + 1, random, retryAfter)
  const status = waitSeconds === null ? "failed" : "pending"
  const error = { error: failure.code, errorFacts: failure.facts }
  return { ...base(facts), status, waitSeconds, ...error, healthy: healthOf(facts, false) }
}

function base({ id, attempt }: Facts): WebhookOutcome {
  return {
    ...{ id, attempt, status: "failed", waitSeconds: null, tried: 1 },
    ...{ statusCode: null, error: null, errorFacts: null, snippet: null, healthy: null, gone: false, record: null },
  }
}

/** A failed test says nothing about real events. */
function healthOf(facts: Facts, healthy: boolean): boolean | null {
  return isTest(facts) ? null : healthy
}

function isTest({ eventType }: Facts): boolean {
  return eventType === "webhook.test"
}

/** Neither secret of a webhook can be opened, so nothing can be signed. */
export class SecretUnreadable extends Error {}

function failureOf(error: unknown): DeliveryFailure {
  if (error instanceof TargetRefused) return { code: "target_refused", facts: error.fault }
  if (error instanceof SecretUnreadable) return { code: "secret_unreadable", facts: {} }
  if (!(error instanceof Error)) return { code: "request_failed", facts: { error: "unknown error" } }
  if (error.name === "TimeoutError" || (error.cause instanceof Error && error.cause.name === "TimeoutError"))
    return { code: "timed_out", facts: { seconds: timeoutSeconds } }
  // Of several addresses each has its own error.
  const first = error instanceof AggregateError && error.errors[0] instanceof Error ? error.errors[0] : error
  return { code: "request_failed", facts: { error: cutText(first.message || error.name, errorCharsMax) } }
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

/** Why an attempt failed, as it is stored: a code with its facts. */
type DeliveryFailureFacts = {
  answered: { status: number }
  timed_out: { seconds: number }
  target_refused: TargetFault
  secret_unreadable: Record<string, never>
  /** `error` is what the system said of the connection. */
  request_failed: { error: string }
}
type DeliveryFailureCode = keyof DeliveryFailureFacts
export type DeliveryFailure = {
  [C in DeliveryFailureCode]: { code: C; facts: DeliveryFailureFacts[C] }
}[DeliveryFailureCode]

const codes: Record<DeliveryFailureCode, true> = {
  ...{ answered: true, timed_out: true, target_refused: true, secret_unreadable: true, request_failed: true },
}

function failureText(failure: DeliveryFailure): string {
  switch (failure.code) {
    case "answered":
      return `The endpoint answered ${failure.facts.status}.`
    case "timed_out":
      return `No response within ${failure.facts.seconds} seconds.`
    case "target_refused":
      return targetFaultSentence(failure.facts)
    case "secret_unreadable":
      return "The secret of the webhook cannot be read. Rotate it."
    case "request_failed":
      return `The request failed: ${failure.facts.error}`
  }
}

/** What a stored error says. Events that were never sent have a code alone; deliveries of earlier releases have a sentence. */
export function storedFailureText(error: string, facts: unknown): string {
  if (Object.hasOwn(codes, error) && facts) return failureText({ code: error, facts } as DeliveryFailure)
  return Object.hasOwn(shapingFaults, error) ? shapingFaults[error as ShapingFault] : error
}
