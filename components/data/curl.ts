/** A POST request to the API as one command for a shell; `indent` spreads its body over lines. */
export function postCurl(url: string, body: object, indent = 0): string {
  return [
    `curl ${url}`,
    '-H "Authorization: Bearer $MAILROOM_API_KEY"',
    '-H "Content-Type: application/json"',
    `-d ${quoted(JSON.stringify(body, null, indent))}`,
  ].join(" \\\n  ")
}

/** One word for a POSIX shell, whatever it contains. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
