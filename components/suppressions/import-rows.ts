import { plainCell } from "@/lib/platform/csv-rules"
import { suppressionReasons, type SuppressionReason } from "@/lib/consent/rules"

export type ImportRow = { email: string; reason?: SuppressionReason }

/**
 * Rows out of text: one address a line, or CSV with the address and at most a reason, by header where there is one
 * (`email`, `reason`), else in this order. Which rows are good is the API's to say.
 */
export function rowsOf(text: string): ImportRow[] {
  const lines = text.replace(/^\ufeff/, "").split(/\r\n|\n|\r/)
  const first = cellsOf(lines[0] ?? "").map((cell) => cell.toLowerCase())
  const headed = first.some((name) => emailHeads.includes(name))
  const emailAt = headed ? first.findIndex((name) => emailHeads.includes(name)) : 0
  const reasonAt = headed ? first.indexOf("reason") : 1
  return lines.slice(headed ? 1 : 0).flatMap((line) => {
    const cells = cellsOf(line)
    if (cells.every((cell) => cell === "")) return []
    const reason = suppressionReasons.find((name) => name === cells[reasonAt]?.toLowerCase())
    return [{ email: cells[emailAt] ?? "", ...(reason ? { reason } : {}) }]
  })
}

const emailHeads = ["email", "e-mail", "address", "email address", "recipient"]

/** Cells of one line, separated by commas, semicolons or tabs, which quotes protect (RFC 4180). */
function cellsOf(line: string): string[] {
  const cells = [""]
  let quoted = false
  for (let at = 0; at < line.length; at++) {
    const character = line[at] ?? ""
    if (character === '"' && quoted && line[at + 1] === '"') {
      cells.push(`${cells.pop()}"`)
      at++
    } else if (character === '"') quoted = !quoted
    else if (!quoted && /[,;\t]/.test(character)) cells.push("")
    else cells.push(`${cells.pop()}${character}`)
  }
  return cells.map((cell) => plainCell(cell.trim()))
}
