import { readCursor, writeCursor, type Place } from "@/lib/platform/http/cursors"

/** A stretch of a collection in its order, with what lies beside it. */
export type Stretch<Row> = { rows: Row[]; before: boolean; after: boolean }

type Asked = { size: number; after?: string }

/**
 * One page of a collection by its cursors. `read` takes the place to go on from, null for the beginning, and gives the
 * rows in the collection's order. The cost does not grow with the depth, and rows that come and go shift nothing.
 * @throws cursorMissing for a cursor of another collection
 */
export async function cursorPage<Row>(
  collection: string,
  asked: Asked,
  keyOf: (row: Row) => string,
  read: (place: Place | null, size: number) => Promise<Stretch<Row>>,
) {
  const place = asked.after === undefined ? null : readCursor(collection, asked.after)
  const stretch = await read(place, asked.size)
  return { cursor: cursorsOf(collection, stretch, keyOf), data: stretch.rows }
}

/** The cursors that lead on from a stretch, to what lies beside it. */
export function cursorsOf<Row>(collection: string, { rows, before, after }: Stretch<Row>, keyOf: (row: Row) => string) {
  const [first, last] = [rows[0], rows.at(-1)]
  const next = after && last ? writeCursor(collection, { key: keyOf(last), direction: "next" }) : null
  const previous = before && first ? writeCursor(collection, { key: keyOf(first), direction: "previous" }) : null
  return { nextCursor: next, previousCursor: previous, hasNextPage: next !== null, hasPreviousPage: previous !== null }
}

/**
 * The stretch out of rows that were read from a place on, one more than asked for. Reading forward, what lies before is
 * known by `beside`: whether a row stands on the other side of the place, or at it.
 */
export function stretchOf<Row>(place: Place | null, size: number, read: Row[], beside: boolean): Stretch<Row> {
  const more = read.length > size
  const rows = read.slice(0, size)
  if (place?.direction === "previous") return { rows: rows.reverse(), before: more, after: beside }
  return { rows, before: place !== null && beside, after: more }
}
