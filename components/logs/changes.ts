export type ChangeRow = { name: string; before?: string; after: string }

const nothing = "nothing"

/** What changed, field by field: with its value before where that is known, and only where the two differ. */
export function changeRows(changes: Record<string, unknown> | undefined): ChangeRow[] {
  if (!changes) return []
  const { before, after, ...rest } = changes
  const others = Object.entries(rest).flatMap(([name, value]) =>
    isPair(value)
      ? [{ name, before: textOf(value.before), after: textOf(value.after) }]
      : value === undefined
        ? []
        : [{ name, after: textOf(value) }],
  )
  if (!("before" in changes) && !("after" in changes)) return others
  if (!isRecord(before) && !isRecord(after))
    return [{ name: "value", before: textOf(before), after: textOf(after) }, ...others]
  const [was, is] = [isRecord(before) ? before : {}, isRecord(after) ? after : {}]
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])]
  const compared = names.map((name) => ({ name, before: textOf(was[name]), after: textOf(is[name]) }))
  return [...compared.filter((row) => row.before !== row.after), ...others]
}

function isPair(value: unknown): value is { before: unknown; after: unknown } {
  return isRecord(value) && "before" in value && "after" in value
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

function textOf(value: unknown): string {
  if (value === undefined || value === null || value === "") return nothing
  if (Array.isArray(value)) return value.length ? value.map(textOf).join(", ") : nothing
  return typeof value === "object" ? JSON.stringify(value) : String(value)
}
