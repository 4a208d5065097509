import { post } from "@/lib/platform/outbound/request"
import { type Resolve, systemResolve, TargetRefused } from "@/lib/platform/outbound/resolve"
import { judgeUrl, type OutboundGuard, outboundGuard } from "@/lib/platform/outbound/url"
import { type ChatMessage, chatPayload } from "@/lib/projects/notices/chat-rules"
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
