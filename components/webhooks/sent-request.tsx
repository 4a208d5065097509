"use client"

import { CodeBlock } from "@/components/ui/code-block"
import { CopyButton } from "@/components/ui/copy-button"
import { quoted } from "@/components/data/curl"
import type { WebhookDelivery } from "@/components/webhooks/queries"

/** The head of the last request that was signed; several signatures each on a line of its own. */
export function SentRequest({ url, delivery }: { url: string; delivery: WebhookDelivery }) {
  const { attempts = [], payload: body = "" } = delivery
  const number = attempts.findLastIndex(({ requestHeaders }) => requestHeaders) + 1
  const headers = attempts[number - 1]?.requestHeaders
  if (!headers) return null
  const text = headersText(headers)
  return (
    <section aria-label="Request" className="min-w-0">
      <h3 className="mb-1.5 flex flex-wrap items-center justify-between gap-2 text-xs font-medium text-muted">
        <span>Request of attempt {number}</span>
        <CopyButton size="small" variant="ghost" value={requestCurl({ url, headers, body })}>
          Copy as curl
        </CopyButton>
      </h3>
      <CodeBlock code={text} name="request headers">
        <b>POST</b> {pathOf(url)}
        {Object.entries(headers).map(([name, value]) => (
          <span key={name} className="block">
            {name}: <b>{name === "webhook-signature" ? value.replaceAll(" ", "\n") : value}</b>
          </span>
        ))}
      </CodeBlock>
    </section>
  )
}

/** As lines, each with a name and a value. */
export function headersText(headers: Record<string, string>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n")
}

function pathOf(url: string): string {
  try {
    const { pathname, search } = new URL(url)
    return pathname + search
  } catch {
    return url
  }
}

type Request = { url: string; headers: Record<string, string>; body: string }

/** The same request by hand. */
function requestCurl({ url, headers, body }: Request): string {
  const lines = Object.entries(headers).map(([name, value]) => `  -H ${quoted(`${name}: ${value}`)} \\`)
  return [`curl ${quoted(url)} \\`, ...lines, `  --data-binary ${quoted(body)}`].join("\n")
}
