import { expect } from "vitest"

/** One generated send. */
export type SendRequest = {
  /** Null sends without an idempotency key. */
  key: string | null
  to: string[]
  subject: string
  kind: "plain" | "test" | "scheduled" | "no subject" | "foreign domain"
}

export type Answer = { status: number; replayed: boolean; json: Record<string, unknown> }

/** An address that is suppressed in every world of the histories. */
export const blocked = "blocked@lovelace.example"

type Kept = { json: Record<string, unknown>; scheduled: boolean; cancelled: boolean }

/**
 * What the product promises about sends, as a plain object: which answer each request must get, what a day's allowance
 * has left, and what must lie in the database at the end.
 */
export class SendModel {
  used = 0
  emails = 0
  events = 0
  private readonly kept = new Map<string, Kept>()

  constructor(public daily: number) {}

  /** Checks a response and records what it created. */
  answered(request: SendRequest, answer: Answer) {
    const code = answer.json.code
    const kept = request.key === null ? undefined : this.kept.get(request.key)
    if (kept) return expect({ ...answer }).toEqual({ status: 201, replayed: true, json: kept.json })
    if (request.kind === "no subject") return expect([answer.status, code]).toEqual([400, "request.invalid"])
    if (request.kind === "foreign domain")
      return expect([answer.status, code]).toEqual([422, "email.from_domain_not_verified"])
    if (this.isTooMuch(request)) return expect([answer.status, code]).toEqual([429, "quota.daily_exceeded"])
    expect([answer.status, answer.replayed]).toEqual([201, false])
    this.accept(request, answer.json)
  }

  /**
   * The answer to a repeat after a request of which nobody knows how far it came: it has either made the email, or left
   * no trace; the repeat says which, and whichever it is the email exists once.
   */
  repeated(request: SendRequest, answer: Answer) {
    const news = request.key !== null && !this.kept.has(request.key) && answer.replayed
    if (!news) return this.answered(request, answer)
    expect(answer.status).toBe(201)
    expect(this.isRefused(request), "what the lost request made").toBe(false)
    this.accept(request, answer.json)
  }

  /** Which of several at the same time comes first is nobody's promise; of equal keys only one does, the rest replay it. */
  raced(requests: readonly SendRequest[], answers: readonly Answer[]) {
    const isFirst = (at: number) => answers[at]?.status === 201 && !answers[at].replayed
    const order = [...answers.keys()].sort((one, other) => Number(isFirst(other)) - Number(isFirst(one)))
    for (const at of order) this.answered(requests[at] as SendRequest, answers[at] as Answer)
  }

  /** An item is answered as a send alone would be, but for its list of messages and the word that it is a replay. */
  itemAnswered(request: SendRequest, { index: _, ...item }: Record<string, unknown>) {
    const { problem } = item as { problem?: Record<string, unknown> }
    if (problem) return this.answered(request, { status: Number(problem.status), replayed: false, json: problem })
    const kept = request.key === null ? undefined : this.kept.get(request.key)
    const messages = kept?.json.messages
    this.answered(request, { status: 201, replayed: kept !== undefined, json: messages ? { ...item, messages } : item })
  }

  cancelAnswered(key: string, status: number) {
    const kept = this.kept.get(key)
    if (!kept) return expect(status).toBe(404)
    const isOpen = kept.scheduled && !kept.cancelled
    expect(status).toBe(isOpen ? 200 : 409)
    if (!isOpen) return
    kept.cancelled = true
    this.events += 1
  }

  idOf(key: string): string | undefined {
    return this.kept.get(key)?.json.id as string | undefined
  }

  private accept(request: SendRequest, json: Record<string, unknown>) {
    const reachable = request.to.filter((address) => address !== blocked)
    const status = { plain: "queued", test: "queued", scheduled: "scheduled" }[request.kind as "plain"]
    expect(json.status).toBe(reachable.length ? status : "suppressed")
    this.used += this.costOf(request)
    this.emails += request.to.length
    this.events += request.to.length
    if (request.key === null) return
    const scheduled = request.kind === "scheduled" && reachable.length > 0
    this.kept.set(request.key, { json, scheduled, cancelled: false })
  }

  private isRefused(request: SendRequest): boolean {
    return request.kind === "no subject" || request.kind === "foreign domain" || this.isTooMuch(request)
  }

  private isTooMuch(request: SendRequest): boolean {
    const cost = this.costOf(request)
    return cost > 0 && this.used + cost > this.daily
  }

  private costOf({ kind, to }: SendRequest): number {
    return kind === "plain" ? to.filter((address) => address !== blocked).length : 0
  }
}
