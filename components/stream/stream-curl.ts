/** The two commands that read the same stream from a terminal. */
export function streamCurl(baseUrl: string, projectId: string): string {
  const token = [
    `curl -s -X POST ${baseUrl}/v1/emails/${projectId}/stream/token`,
    `-H "Authorization: Bearer $MAILROOM_API_KEY" | sed 's/.*"token":"\\([^"]*\\)".*/\\1/'`,
  ].join(" \\\n  ")
  return `TOKEN=$(${token})\ncurl -N "${baseUrl}/v1/emails/stream?token=$TOKEN"`
}
