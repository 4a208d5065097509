/**
 * One line of CSV (RFC 4180), every cell quoted. A spreadsheet would run a cell that begins with one of these as a
 * formula, so it gets an apostrophe before it (OWASP, ASVS 1.2.10).
 */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(cell).join(",")}\r\n`
}

function cell(text: string): string {
  const safe = /^\s*[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return `"${safe.replaceAll('"', '""')}"`
}
