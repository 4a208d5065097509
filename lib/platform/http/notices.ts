import { type Asked, methodOf, type Endpoint } from "@/lib/platform/http/endpoint"

// What an answer tells its caller beside the result, in the header `Mailroom-Notice`.

export const noticeCodes = ["idempotency_key_unread", "idempotency_unsupported"] as const
export type NoticeCode = (typeof noticeCodes)[number]

export const noticeTexts: Record<NoticeCode, string> = {
  idempotency_key_unread: "Idempotency-Key is not read; use idempotencyKey",
  idempotency_unsupported: "Idempotency-Key is not read; this operation has no idempotencyKey",
}

/** Many services read the header; here a caller who relies on it would send twice without knowing. */
export function noticeOf(endpoint: Endpoint, asked: Pick<Asked, "headers">): NoticeCode | null {
  if (
    endpoint.readsIdempotencyKeyHeader ||
    methodOf(endpoint) === "GET" ||
    asked.headers.get("idempotency-key") === null
  )
    return null
  return endpoint.idempotent ? "idempotency_key_unread" : "idempotency_unsupported"
}

/** Whether the body, or each item of a batch, has an `idempotencyKey`. */
export function givesIdempotencyKey(body: unknown): boolean {
  if (typeof body !== "object" || body === null) return false
  const items = Array.isArray(body) ? body : Object.values(body).find(Array.isArray)
  if (hasKey(body)) return true
  return Array.isArray(items) && items.length > 0 && items.every(hasKey)
}

function hasKey(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false
  return typeof (value as { idempotencyKey?: unknown }).idempotencyKey === "string"
}
