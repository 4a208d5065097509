import { timingSafeEqual } from "node:crypto"
import { hmac } from "@/lib/platform/crypto"
import { cursorCharsMax } from "@/lib/platform/http/paging"
import { problem } from "@/lib/platform/http/problem"

export const cursorMissing = problem(
  "cursor.not_found",
  404,
  "No such cursor",
  "The cursor does not belong to this collection. Pass back `cursor.nextCursor` unchanged, or leave `after` out.",
)

/** Where a page begins: the key of the row beside it, and the direction to read in. */
export type CursorPosition = { key: string; direction: "next" | "previous" }

const macBytes = 16

/** An opaque cursor, bound to its collection (`project|segment|…`) by a MAC. */
export function writeCursor(collection: string, position: CursorPosition): string {
  const text = `${position.direction === "next" ? "n" : "p"}${position.key}`
  return Buffer.concat([macOf(collection, text), Buffer.from(text)]).toString("base64url")
}

/** The position of a cursor that this collection issued. @throws cursorMissing for any other text */
export function readCursor(collection: string, cursor: string): CursorPosition {
  const bytes = cursor.length > cursorCharsMax ? Buffer.alloc(0) : Buffer.from(cursor, "base64url")
  const text = bytes.subarray(macBytes).toString()
  const genuine =
    bytes.length > macBytes &&
    bytes.toString("base64url") === cursor &&
    timingSafeEqual(bytes.subarray(0, macBytes), macOf(collection, text))
  if (!genuine) throw cursorMissing()
  return { key: text.slice(1), direction: text.startsWith("n") ? "next" : "previous" }
}

function macOf(collection: string, text: string): Buffer {
  return hmac("cursor", `${collection}\n${text}`).subarray(0, macBytes)
}
