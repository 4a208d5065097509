/** Longer than the 253 octets of a host in any script can be written. */
const hostCharsMax = 1_000

/**
 * A URL by the parser of WHATWG, or null. A host that is longer than any name is refused before it is parsed: its characters beyond
 * ASCII would take time that grows with the square of their number. In place of `URL.canParse`: Node 20 and 22 compile that, after
 * some thousand calls, to code that refuses every URL with a letter such as ü.
 */
export function parseUrl(text: string, base?: string | URL): URL | null {
  if (text.length > hostCharsMax && hostIn(text).length > hostCharsMax) return null
  try {
    return new URL(text, base)
  } catch {
    return null
  }
}

/** Where the parser finds a host: it takes backslashes for slashes, and leaves out tabs, line breaks and what is before the scheme. */
function hostIn(text: string): string {
  const written = text.replace(/[\t\n\r]/g, "").replace(/^[\0- ]+/, "")
  const authority = /^(?:(?:https?|wss?|ftp|file):[/\\]*|[/\\]{2,})([^/\\?#]*)/i.exec(written)?.[1] ?? ""
  return authority.slice(authority.lastIndexOf("@") + 1)
}
