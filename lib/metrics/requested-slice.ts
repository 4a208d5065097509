import type { Slice } from "@/lib/metrics/bucket-sql"
import { requestInvalid } from "@/lib/platform/http/problems"

/** Whose email a request asks for: one sending domain or one broadcast; null for all. */
export function requestedSlice({ domain, broadcastId }: { domain?: string; broadcastId?: string }): Slice | null {
  if (domain !== undefined && broadcastId !== undefined) {
    const detail = "Give a domain or a broadcast, not both."
    throw requestInvalid(undefined, { errors: [{ pointer: "query/broadcastId", detail }] })
  }
  if (broadcastId !== undefined) return { by: "broadcast", key: broadcastId }
  return domain === undefined ? null : { by: "domain", key: domain.toLowerCase() }
}
