/** Emails that are chosen for a bulk action: some of those loaded, or all that match the filters. */
export type Selection = {
  ids: readonly string[]
  /** Where a range begins: the last one that was chosen or dropped. */
  anchor: string | null
  all: boolean
}

export const nothingSelected: Selection = { ids: [], anchor: null, all: false }

export function withToggled({ ids }: Selection, id: string): Selection {
  return { ids: ids.includes(id) ? ids.filter((one) => one !== id) : [...ids, id], anchor: id, all: false }
}

/** With all rows from the anchor to this one; `rows` are the ids in the order shown. */
export function extended(selection: Selection, rows: readonly string[], to: string): Selection {
  const [from, until] = [rows.indexOf(selection.anchor ?? to), rows.indexOf(to)]
  if (from < 0 || until < 0) return withToggled(selection, to)
  const range = rows.slice(Math.min(from, until), Math.max(from, until) + 1)
  return { ids: [...new Set([...selection.ids, ...range])], anchor: selection.anchor ?? to, all: false }
}

/** Whether email of this status waits for its time and can be cancelled. */
export function isCancellable(status: string): boolean {
  return status === "scheduled"
}

const moving = new Set(["scheduled", "queued", "sending", "delivery_delayed"])

/** While an attempt is due, sending again would make two. */
export function isRepeatable(status: string): boolean {
  return !moving.has(status)
}
