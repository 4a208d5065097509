/** The command that adds a contact, for the page that has none yet. */
export function addContactCurl(baseUrl: string, projectId: string): string {
  return [
    `curl ${baseUrl}/v1/projects/${projectId}/contacts \\`,
    `  -H "Authorization: Bearer $MAILROOM_API_KEY" \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d '{"email":"ada@example.com","firstName":"Ada"}'`,
  ].join("\n")
}
