/** The command that creates a segment, for the page that has none yet. */
export function addSegmentCurl(baseUrl: string, projectId: string): string {
  return [
    `curl ${baseUrl}/v1/projects/${projectId}/segments \\`,
    `  -H "Authorization: Bearer $MAILROOM_API_KEY" \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d '{"name":"Readers","filter":{"all":[{"field":"engagement","event":"opened","operator":"within_days","days":30}]}}'`,
  ].join("\n")
}
