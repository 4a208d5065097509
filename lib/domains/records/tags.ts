/**
 * The tag list of DKIM and DMARC records (RFC 6376 3.2): names and values in order, without surrounding white
 * space. Null when a part has no `=`, a name is invalid or occurs twice. Names are in lower case, unless their case counts as in
 * DKIM records.
 */
export function parseTags(text: string, { exact = false } = {}): Map<string, string> | null {
  const tags = new Map<string, string>()
  const parts = text.split(";")
  for (const [position, part] of parts.entries()) {
    const trimmed = part.trim()
    if (trimmed === "" && position > 0) continue
    const at = trimmed.indexOf("=")
    if (at < 1) return null
    const written = trimmed.slice(0, at).trim()
    const name = exact ? written : written.toLowerCase()
    if (!/^[a-z][a-z0-9_]*$/i.test(name) || tags.has(name)) return null
    tags.set(name, trimmed.slice(at + 1).trim())
  }
  return tags
}
