/** The command that creates a topic, for the page that has none yet. */
export function addTopicCurl(baseUrl: string, projectId: string): string {
  return [
    `curl ${baseUrl}/v1/projects/${projectId}/topics \\`,
    `  -H "Authorization: Bearer $MAILROOM_API_KEY" \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d '{"name":"Product news","defaultSubscription":"opt_out","visibility":"public"}'`,
  ].join("\n")
}
