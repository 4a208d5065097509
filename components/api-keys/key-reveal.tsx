"use client"

import { useQuery } from "@tanstack/react-query"
import { Button } from "@/components/ui/button"
import { CodeBlock } from "@/components/ui/code-block"
import { CopyButton } from "@/components/ui/copy-button"
import { DialogFooter } from "@/components/ui/dialog"
import type { CreatedKey } from "@/components/api-keys/create-key-form"
import { curlLine } from "@/components/api-keys/curl-line"
import { senderDomains } from "@/components/api-keys/queries"

type KeyRevealProps = {
  projectId: string
  created: CreatedKey
  baseUrl: string
  recipient: string
  onStored: () => void
}

/** Shows a key this once, in a locked dialog that closes by the one button that says so. */
export function KeyReveal({ projectId, created, baseUrl, recipient, onStored }: KeyRevealProps) {
  const domains = useQuery(senderDomains(projectId)).data?.data ?? []
  const sender = domains.find(({ status }) => status === "verified") ?? domains[0]
  const curl = curlLine({
    key: created.apiKey,
    permissions: created.permissions ?? {},
    baseUrl,
    projectId,
    recipient,
    domain: sender?.domain,
  })
  return (
    <>
      <CodeBlock code={created.apiKey} name="API key" className="mb-4 text-text">
        <b>{created.apiKey}</b>
      </CodeBlock>
      {curl ? (
        <>
          <p className="mb-1.5 text-sm font-medium">Try it</p>
          <CodeBlock code={curl} name="curl command" />
          {sender?.status === "verified" || !created.permissions?.emails?.includes("send") ? null : (
            <p className="mt-1.5 text-sm text-muted">It is refused until one of your domains is verified.</p>
          )}
        </>
      ) : null}
      <DialogFooter className="flex-row justify-end">
        <CopyButton value={created.apiKey}>Copy key</CopyButton>
        <Button variant="primary" onClick={onStored}>
          I have stored it
        </Button>
      </DialogFooter>
    </>
  )
}
