import { postCurl, quoted } from "@/components/data/post-curl"

/** The command that creates a webhook, for the page that has none yet. */
export function createWebhookCurl(baseUrl: string, projectId: string): string {
  return postCurl(`${baseUrl}/v1/projects/${projectId}/webhooks`, {
    url: "https://example.com/hooks/mailroom",
    events: ["email.delivered", "email.bounced"],
  })
}

type Request = { url: string; headers: Record<string, string>; body: string }

/** The same request by hand. */
export function requestCurl({ url, headers, body }: Request): string {
  const lines = Object.entries(headers).map(([name, value]) => `  -H ${quoted(`${name}: ${value}`)} \\`)
  return [`curl ${quoted(url)} \\`, ...lines, `  --data-binary ${quoted(body)}`].join("\n")
}
