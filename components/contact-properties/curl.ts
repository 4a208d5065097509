/** The command that defines a property, for the page that has none yet. */
export function addPropertyCurl(baseUrl: string, projectId: string): string {
  return [
    `curl ${baseUrl}/v1/projects/${projectId}/contact-properties \\`,
    `  -H "Authorization: Bearer $MAILROOM_API_KEY" \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d '{"key":"plan","type":"string","fallbackValue":"free"}'`,
  ].join("\n")
}
