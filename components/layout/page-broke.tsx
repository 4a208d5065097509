"use client"

import { MessagePage } from "@/components/layout/message-page"
import { Button, ButtonLink } from "@/components/ui/button"
import { CopyText } from "@/components/ui/copy-text"

/** What stands in the place of a page that broke. */
export default function PageBroke({ digest, reset }: { digest?: string; reset: () => void }) {
  const actions = (
    <>
      <Button variant="primary" onClick={reset}>
        Try again
      </Button>
      <ButtonLink href="/">Go to the overview</ButtonLink>
    </>
  )
  return (
    <MessagePage title="This page broke" actions={actions}>
      <p>The fault is ours and has been logged. Mail that is being sent is not affected.</p>
      {digest ? (
        <p className="mt-3 flex items-center justify-center gap-2 text-xs">
          Reference <CopyText value={digest} name="reference" inline />
        </p>
      ) : null}
    </MessagePage>
  )
}
