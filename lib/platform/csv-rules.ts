/** One line of CSV (RFC 4180), every cell quoted and none of them a formula. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map((cell) => `"${safeCell(cell).replaceAll('"', '""')}"`).join(",")}\r\n`
}

/** The line of a header: names like those of fields as they are, others as cells. */
export function headerLine(names: readonly string[]): string {
  const simple = /^[\w .]*$/
  return names.every((name) => simple.test(name)) ? `${names.join(",")}\r\n` : csvLine(names)
}

/** A cell that was written by `csvLine`, or marked as text by a spreadsheet, without its apostrophe. */
export function plainCell(cell: string): string {
  return cell.startsWith("'") && formula.test(cell.slice(1)) ? cell.slice(1) : cell
}

// Includes apostrophes: text that has one before its formula gets a second, so that `plainCell` restores it exactly.
const formula = /^'*\s*[=+\-@\t\r]/

/** A spreadsheet would run a cell that begins like a formula, so an apostrophe is put before it (OWASP ASVS 1.2.10). */
function safeCell(text: string): string {
  return formula.test(text) ? `'${text}` : text
}
