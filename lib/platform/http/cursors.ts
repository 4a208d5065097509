import { timingSafeEqual } from "node:crypto"
import { hmac } from "@/lib/platform/crypto"
import { problem } from "@/lib/platform/http/problem"

export const cursorMissing = problem(
  "cursor.not_found",
  404,
  "No such cursor",
  "The cursor does not belong to this collection. Pass back `cursor.nextCursor` unchanged, or leave `after` out.",
)

/** A place in a collection: the key of the row beside it, and which way to read from there. */
export type Place = { key: string; direction: "next" | "previous" }

const MAC_BYTES = 16
const LENGTH_MAX = 512

/** An opaque cursor, bound to its collection (`project|segment|…`) by a MAC. */
export function writeCursor(collection: string, place: Place): string {
  const text = `${place.direction === "next" ? "n" : "p"}${place.key}`
  return Buffer.concat([macOf(collection, text), Buffer.from(text)]).toString("base64url")
}

/** The place of a cursor that this collection gave out. @throws cursorMissing for any other text */
export function readCursor(collection: string, cursor: string): Place {
  const bytes = cursor.length > LENGTH_MAX ? Buffer.alloc(0) : Buffer.from(cursor, "base64url")
  const text = bytes.subarray(MAC_BYTES).toString()
  const genuine =
    bytes.length > MAC_BYTES &&
    bytes.toString("base64url") === cursor &&
    timingSafeEqual(bytes.subarray(0, MAC_BYTES), macOf(collection, text))
  if (!genuine) throw cursorMissing()
  return { key: text.slice(1), direction: text.startsWith("n") ? "next" : "previous" }
}

function macOf(collection: string, text: string): Buffer {
  return hmac("cursor", `${collection}\n${text}`).subarray(0, MAC_BYTES)
}
