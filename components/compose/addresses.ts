/** The addresses in a field: apart by comma, semicolon or line, but not inside quotes or angle brackets. */
export function splitAddresses(text: string): string[] {
  const found: string[] = []
  let current = ""
  let quoted = false
  let angled = false
  for (const char of text) {
    const previous = current.at(-1)
    if (char === '"' && previous !== "\\") quoted = !quoted
    if (!quoted && char === "<") angled = true
    if (!quoted && char === ">") angled = false
    const ends = char === "\n" || (!quoted && !angled && (char === "," || char === ";"))
    if (!ends) {
      current += char
      continue
    }
    found.push(current)
    current = ""
    quoted = false
    angled = false
  }
  return [...found, current].map((each) => each.trim()).filter(Boolean)
}
