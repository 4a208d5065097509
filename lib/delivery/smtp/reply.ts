import { cutText } from "@/lib/platform/text"

export type SmtpReply = { code: number; enhanced?: string; text: string; lines: string[] }

export const replyLineBytesMax = 2 * 1024
export const replyBytesMax = 64 * 1024
/** A pipelined group has four commands; many more unread replies than that are a fault of the server. */
const repliesWaitingMax = 8

type Waiter = { resolve(reply: SmtpReply): void; reject(reason: Error): void }

/** Turns octets from an SMTP server into replies, in order, within bounds whatever the server sends. */
export class ReplyReader {
  #partial = ""
  #lines: string[] = []
  #bytes = 0
  #replies: SmtpReply[] = []
  #waiter: Waiter | null = null
  #fault: Error | null = null

  /** True if something arrived unasked, such as a 421 on an idle connection. */
  get unsolicited(): boolean {
    return this.#replies.length > 0 || this.#partial !== "" || this.#lines.length > 0 || this.#fault !== null
  }

  get faulty(): boolean {
    return this.#fault !== null
  }

  /** The next reply; rejects on `fail`, on a malformed reply, and after `timeoutMs`. One call at a time. */
  next(timeoutMs: number): Promise<SmtpReply> {
    const ready = this.#replies.shift()
    if (ready) return Promise.resolve(ready)
    if (this.#fault) return Promise.reject(this.#fault)
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.fail(new Error(`no answer within ${timeoutMs / 1000} s`)), timeoutMs)
      this.#waiter = {
        resolve: (reply) => (clearTimeout(timer), resolve(reply)),
        reject: (reason) => (clearTimeout(timer), reject(reason)),
      }
    })
  }

  push(chunk: Buffer): void {
    if (this.#fault) return
    const text = this.#partial + chunk.toString("latin1")
    let from = 0
    for (let to = text.indexOf("\n"); to !== -1 && !this.#fault; to = text.indexOf("\n", from)) {
      this.#line(text.slice(from, to))
      from = to + 1
    }
    this.#partial = text.slice(from)
    if (this.#partial.length > replyLineBytesMax) this.fail(new Error("an answer line over 2 KB"))
  }

  /** Ends all reading; replies that are complete are still handed out. */
  fail(reason: Error): void {
    this.#fault ??= reason
    this.#partial = ""
    const waiter = this.#waiter
    this.#waiter = null
    waiter?.reject(reason)
  }

  /** Discards everything received: plaintext sent behind STARTTLS must not be trusted (RFC 3207 section 4.2). */
  discard(): void {
    this.#partial = ""
    this.#lines = []
    this.#bytes = 0
    this.#replies = []
  }

  #line(raw: string): void {
    const line = raw.endsWith("\r") ? raw.slice(0, -1) : raw
    this.#bytes += raw.length
    if (line.length > replyLineBytesMax) return this.fail(new Error("an answer line over 2 KB"))
    if (this.#bytes > replyBytesMax) return this.fail(new Error("an answer over 64 KB"))
    const found = /^([2-5]\d\d)([ -]|$)(.*)$/s.exec(line)
    const code = found?.[1]
    if (!found || (this.#lines[0] !== undefined && !this.#lines[0].startsWith(code ?? "?")))
      return this.fail(new Error(`no SMTP answer: ${cutText(decoded(line), 200)}`))
    this.#lines.push(line)
    if (found[2] !== "-") this.#finish()
  }

  #finish(): void {
    const reply = replyOf(this.#lines)
    this.#lines = []
    this.#bytes = 0
    const waiter = this.#waiter
    this.#waiter = null
    if (waiter) return waiter.resolve(reply)
    this.#replies.push(reply)
    if (this.#replies.length > repliesWaitingMax) this.fail(new Error("unsolicited replies"))
  }
}

function replyOf(raw: readonly string[]): SmtpReply {
  const lines = raw.map(decoded)
  const code = Number(raw[0]?.slice(0, 3))
  const text = lines
    .map((line) => line.slice(4))
    .join(" ")
    .trim()
  const enhanced = /^[245]\.\d{1,3}\.\d{1,3}(?=\s|$)/.exec(text)?.[0]
  const agrees = enhanced !== undefined && Number(enhanced[0]) === Math.floor(code / 100)
  return agrees ? { code, enhanced, text, lines } : { code, text, lines }
}

/** Octets decoded as UTF-8, which they most likely are. */
function decoded(latin1: string): string {
  return printable(/[\x80-\xff]/.test(latin1) ? Buffer.from(latin1, "latin1").toString("utf8") : latin1)
}

/** With control characters shown as `?`, so that it can be stored and displayed. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]/gu, "?")
}
