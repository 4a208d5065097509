/** The addresses in a field: separated by comma, semicolon or line, but not inside quotes or angle brackets. */
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

/** The topic or segment that To names in place of addresses; null where To has addresses. */
export function audienceIn(to: string): string | null {
  return /^\s*((?:top|seg)_[0-9a-z]{26})\s*$/.exec(to)?.[1] ?? null
}

/** The topic in To: the email belongs to it, whatever else has been chosen. */
export function topicIn(to: string): string | null {
  const id = audienceIn(to)
  return id?.startsWith("top_") ? id : null
}
