/** The command that suppresses an address, for the page that has none yet. */
export function addSuppressionCurl(baseUrl: string, projectId: string): string {
  return [
    `curl ${baseUrl}/v1/projects/${projectId}/suppressions \\`,
    `  -H "Authorization: Bearer $MAILROOM_API_KEY" \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d '{"email":"ada@example.com"}'`,
  ].join("\n")
}
