"use client"

import type { ReactNode } from "react"
import { Button } from "@/components/ui/button"
import { CodeBlock } from "@/components/ui/code-block"
import { Dialog } from "@/components/ui/dialog"

type CurlDialogProps = {
  title: string
  description: string
  code: string
  /** What is shown of the command, if it is not all that is copied. */
  shown?: ReactNode
  /** The dialog is open until this is called; without it, its button "Show as curl" opens it. */
  onClose?: () => void
}

/** How to do what the page does from a terminal. */
export function CurlDialog({ title, description, code, shown, onClose }: CurlDialogProps) {
  return (
    <Dialog
      trigger={onClose ? undefined : <Button>Show as curl</Button>}
      open={onClose ? true : undefined}
      onOpenChange={onClose}
      title={title}
      description={`${description} Set MAILROOM_API_KEY to one of your keys first.`}
      size="large"
    >
      <CodeBlock code={code} name="curl command">
        {shown}
      </CodeBlock>
    </Dialog>
  )
}
