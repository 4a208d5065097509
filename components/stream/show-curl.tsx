"use client"

import { Button } from "@/components/ui/button"
import { CodeBlock } from "@/components/ui/code-block"
import { Dialog } from "@/components/ui/dialog"

/** The same stream from a terminal. */
export function ShowCurl({ code }: { code: string }) {
  return (
    <Dialog
      trigger={<Button>Show as curl</Button>}
      title="Read the stream with curl"
      description="A token opens one stream and expires after 60 seconds. Set MAILROOM_API_KEY to one of your keys first."
      size="large"
    >
      <CodeBlock code={code} name="curl commands" />
    </Dialog>
  )
}
