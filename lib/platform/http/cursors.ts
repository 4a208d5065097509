import { timingSafeEqual } from "node:crypto"
import { hmac } from "@/lib/platform/crypto"
import { cursorCharsMax } from "@/lib/platform/http/paging"
import { problem } from "@/lib/platform/http/problem"

/** Consecutive rows of a collection, and whether there are more before and after them. */
export type CursorSlice<Row> = { rows: Row[]; before: boolean; after: boolean }

type CursorRequest = { size: number; after?: string }

/**
 * One page of a collection by cursor. `read` takes the position to continue from, null for the beginning, and returns
 * rows in the collection's order. The cost does not grow with the depth, and rows that come and go shift nothing.
 * @throws cursorMissing for a cursor of another collection
 */
export async function cursorPage<Row>(
  collection: string,
  request: CursorRequest,
  keyOf: (row: Row) => string,
  read: (position: CursorPosition | null, size: number) => Promise<CursorSlice<Row>>,
) {
  const position = request.after === undefined ? null : readCursor(collection, request.after)
  const slice = await read(position, request.size)
  return { cursor: cursorsOf(collection, slice, keyOf, position), data: slice.rows }
}

/** The cursors of the pages before and after a slice; one without rows is where it was read from. */
export function cursorsOf<Row>(
  collection: string,
  { rows, before, after }: CursorSlice<Row>,
  keyOf: (row: Row) => string,
  position: CursorPosition | null,
) {
  const [first, last] = [rows[0], rows.at(-1)]
  const lastKey = last ? keyOf(last) : position && besideKey(position.key, 1n)
  const firstKey = first ? keyOf(first) : position && besideKey(position.key, -1n)
  const next = after && lastKey ? writeCursor(collection, { key: lastKey, direction: "next" }) : null
  const previous = before && firstKey ? writeCursor(collection, { key: firstKey, direction: "previous" }) : null
  return { nextCursor: next, previousCursor: previous, hasNextPage: next !== null, hasPreviousPage: previous !== null }
}

/** The id right after or before another. What is read from a position leaves out the row there: from the one beside it, it is there. */
function besideKey(key: string, step: 1n | -1n): string {
  const digits = BigInt.asUintN(128, BigInt(`0x${key.replaceAll("-", "")}`) + step)
    .toString(16)
    .padStart(32, "0")
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-")
}

/**
 * The slice of rows that were read from a position, one more than the page holds. `beside` tells whether there is a row
 * at the position or on its other side.
 */
export function cursorSlice<Row>(
  position: CursorPosition | null,
  size: number,
  read: Row[],
  beside: boolean,
): CursorSlice<Row> {
  const more = read.length > size
  const rows = read.slice(0, size)
  if (position?.direction === "previous") return { rows: rows.reverse(), before: more, after: beside }
  return { rows, before: position !== null && beside, after: more }
}

/**
 * For a collection by id, the newest first: the order in which its rows are read from a position, and the conditions of those beyond
 * it, which the page shows, and of those beside it, at the position or on its other side; null without a position.
 */
export function newestFirst(position: CursorPosition | null) {
  const back = position?.direction === "previous"
  return {
    orderBy: { id: back ? ("asc" as const) : ("desc" as const) },
    beyond: position ? { id: back ? { gt: position.key } : { lt: position.key } } : {},
    beside: position && { id: back ? { lte: position.key } : { gte: position.key } },
  }
}

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
