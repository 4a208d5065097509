/** The command that creates a webhook, for the page that has none yet. */
export function createWebhookCurl(baseUrl: string, projectId: string): string {
  return [
    `curl ${baseUrl}/v1/projects/${projectId}/webhooks \\`,
    `  -H "Authorization: Bearer $MAILROOM_API_KEY" \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d '{"url":"https://example.com/hooks/mailroom","events":["email.delivered","email.bounced"]}'`,
  ].join("\n")
}

type Request = { url: string; headers: Record<string, string>; body: string }

/** The same request by hand. */
export function requestCurl({ url, headers, body }: Request): string {
  const lines = Object.entries(headers).map(([name, value]) => `  -H ${quoted(`${name}: ${value}`)} \\`)
  return [`curl ${quoted(url)} \\`, ...lines, `  --data-binary ${quoted(body)}`].join("\n")
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
