"use client"

import { Button } from "@/components/ui/button"
import { CodeBlock } from "@/components/ui/code-block"
import { CopyButton } from "@/components/ui/copy-button"
import { Dialog } from "@/components/ui/dialog"

type SecretRevealProps = { secret: string; rotated?: boolean; onStored: () => void }

/** Shows a secret this once; it closes by the one button that says so. */
export function SecretReveal({ secret, rotated, onStored }: SecretRevealProps) {
  return (
    <Dialog
      open
      locked
      title={rotated ? "The new signing secret" : "The signing secret"}
      description="Store it where your server can read it. It is not shown again; if it is lost, rotate it."
      footer={
        <>
          <CopyButton value={secret}>Copy secret</CopyButton>
          <Button variant="primary" onClick={onStored}>
            I have stored it
          </Button>
        </>
      }
    >
      <CodeBlock code={secret} name="signing secret" className="text-text">
        <b>{secret}</b>
      </CodeBlock>
      <p className="mt-3 text-muted">
        {rotated
          ? "For 24 hours, every request carries two signatures, one of each secret. A server that has either secret accepts it."
          : "Your server uses it to verify requests. The webhook's page has code for that, ready to copy."}
      </p>
    </Dialog>
  )
}
