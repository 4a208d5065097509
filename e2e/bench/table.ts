/** One line of the result. */
export type Row = {
  what: string
  /** The figures behind it, with their units. */
  measured: string
  /** Absent for a figure without a goal. */
  ratio?: number
  goal?: number
  /** What `goal` bounds, where it is no ratio. */
  value?: number
  unit?: string
  /** The goal is an upper bound. */
  atMost?: true
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const [low, high] = [sorted[sorted.length % 2 ? middle : middle - 1], sorted[middle]]
  return low === undefined || high === undefined ? Number.NaN : (low + high) / 2
}

/** The median of the ratios of rounds that ran beside each other: what slows a whole round does not show in it. */
export function ratio(values: readonly number[], floors: readonly number[]): number {
  return median(values.map((value, round) => value / (floors[round] ?? Number.NaN)))
}

/** The rows as a table in Markdown, the goal beside each. */
export function table(rows: readonly Row[]): string {
  const lines = rows.map((row) => [row.what, row.measured, figureOf(row), goalOf(row), verdict(row)])
  const all = [["measured", "medians", "result", "goal", ""], ["---", "---", "---", "---", "---"], ...lines]
  return all.map((cells) => `| ${cells.join(" | ")} |`).join("\n")
}

/** The result, as a ratio or with its unit; empty where there is none. */
export function figureOf({ ratio: found, value, unit }: Row): string {
  if (value !== undefined) return `${value.toFixed(1)} ${unit ?? ""}`.trim()
  return found === undefined ? "" : found.toFixed(2)
}

export function goalOf({ goal, atMost, value, unit }: Row): string {
  if (goal === undefined) return ""
  const bound = value === undefined ? goal.toFixed(2) : `${goal} ${unit ?? ""}`.trim()
  return `${atMost ? "<=" : ">="} ${bound}`
}

function verdict(row: Row): string {
  if (row.goal === undefined || (row.value ?? row.ratio) === undefined) return ""
  return isMissed(row) ? "missed" : "met"
}

/** Whether there is a goal that the result does not meet. */
export function isMissed({ goal, atMost, value, ratio: found }: Row): boolean {
  const measured = value ?? found
  if (goal === undefined || measured === undefined) return false
  return atMost ? measured > goal : measured < goal
}
