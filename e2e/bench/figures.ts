import { figureOf, goalOf, type Row } from "@/e2e/bench/table"

/** A line of the table of figures: what was measured by which command, and when. */
export type Figure = { row: Row; command: string }

const header = ["figure", "goal", "last value", "date", "command"]
const [begin, end] = ["<!-- figures -->\n\n", "\n\n<!-- end of figures -->"]

/**
 * The page with these figures in its table: a figure that is there already gets its new value, another one a line of its own.
 * Lines of other commands stay.
 * @throws where the page has no table of figures
 */
export function withFigures(page: string, figures: readonly Figure[], date: string): string {
  const [before, rest] = split(page, begin)
  const [table, after] = split(rest, end)
  const lines = new Map(
    table
      .split("\n")
      .slice(2)
      .map(cellsOf)
      .map((cells) => [cells[0], cells]),
  )
  for (const { row, command } of figures)
    lines.set(row.what, [row.what, goalOf(row), valueOf(row), date, `\`${command}\``])
  return before + begin + aligned([header, ...lines.values()]) + end + after
}

function split(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark)
  if (at < 0) throw new Error(`The page has no "${mark.trim()}".`)
  return [text.slice(0, at), text.slice(at + mark.length)]
}

function cellsOf(line: string): string[] {
  return line
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim())
}

/** The result, and the figures that it was made of. */
function valueOf(row: Row): string {
  const figure = figureOf(row)
  if (!figure || !row.measured) return figure || row.measured
  return `${figure} (${row.measured})`
}

/** As oxfmt writes a table. */
function aligned([head = [], ...lines]: readonly string[][]): string {
  const widths = head.map((_, at) => Math.max(3, ...[head, ...lines].map((cells) => cells[at]?.length ?? 0)))
  const line = (cells: readonly string[]) =>
    `| ${widths.map((width, at) => (cells[at] ?? "").padEnd(width)).join(" | ")} |`
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...lines.map(line)].join("\n")
}
