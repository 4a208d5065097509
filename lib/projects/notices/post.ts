import { post } from "@/lib/platform/outbound/request"
import {
  type Resolve,
  systemResolve,
  TargetRefused,
  judgeUrl,
  type OutboundGuard,
  outboundGuard,
} from "@/lib/platform/outbound/target"
import type { PostOutcome } from "@/lib/projects/notices/data"

const timeoutMs = 15_000

export type PostOptions = { signal: AbortSignal; guard?: OutboundGuard; resolve?: Resolve }

/** Posts a message to a chat. Its addresses are judged for this connection; only a status from 200 to 299 is success. */
export async function postToChat(url: string, message: ChatMessage, options: PostOptions): Promise<PostOutcome> {
  const { signal, guard = outboundGuard(), resolve = systemResolve() } = options
  try {
    const target = judgeUrl(url, guard)
    if (!target.ok) return { failure: "refused" }
    const { status, retryAfter } = await post({
      ...{ target, guard, resolve, timeoutMs, signal },
      headers: { "content-type": "application/json", "user-agent": "Mailroom-Notices/1" },
      body: JSON.stringify(chatPayload(message)),
    })
    if (status >= 200 && status < 300) return {}
    const seconds = Number(retryAfter)
    return {
      ...{ failure: "answered", statusCode: status },
      ...(Number.isFinite(seconds) && seconds > 0 ? { retryAfterSeconds: seconds } : {}),
    }
  } catch (error) {
    if (error instanceof TargetRefused) return { failure: "refused" }
    return { failure: isTimeout(error) ? "timed_out" : "unreachable" }
  }
}

function isTimeout(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return error.name === "TimeoutError" || (error.cause instanceof Error && error.cause.name === "TimeoutError")
}

/** What is posted: a title, what happened, and the page about it. */
type ChatMessage = {
  title: string
  lead: string
  paragraphs?: readonly string[] | undefined
  action: string
  url: string
}

/** Slack takes 3,000 characters in a block. */
const blockCharsMax = 2_900

/** The body of a post to an incoming webhook: blocks for Slack, and `text` for chats that know no blocks. */
export function chatPayload({ title, lead, paragraphs = [], action, url }: ChatMessage) {
  const link = `<${escaped(url)}|${escaped(action)}>`
  const parts = [`*${escaped(title)}*\n${escaped(lead)}`, ...paragraphs.map(escaped), link].map(cut)
  return {
    text: parts.join("\n\n"),
    blocks: parts.map((text) => ({ type: "section", text: { type: "mrkdwn", text } })),
  }
}

/** The three characters with a meaning in Slack's text. */
function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
}

function cut(text: string): string {
  return text.length <= blockCharsMax ? text : `${text.slice(0, blockCharsMax - 1)}…`
}

/** Seconds between posts of a notice: the first is made at once, the sixth some three hours later. */
const waitsSeconds = [10, 60, 600, 3_600, 7_200]

const retryAfterMaxSeconds = 3_600

/** Seconds until the next post; null when there is none. A target that asks for more time gets it, up to an hour. */
export function nextPostSeconds(attempts: number, retryAfterSeconds = 0): number | null {
  const wait = waitsSeconds[attempts - 1]
  return wait === undefined ? null : Math.max(wait, Math.min(retryAfterMaxSeconds, retryAfterSeconds))
}
