/**
 * A URL by the parser of WHATWG, or null. In place of `URL.canParse`: Node 20 and 22 compile that, after some thousand calls, to
 * code that refuses every URL with a letter such as ü.
 */
export function parseUrl(text: string, base?: string | URL): URL | null {
  try {
    return new URL(text, base)
  } catch {
    return null
  }
}
