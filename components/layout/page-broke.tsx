"use client"

import { MessagePage } from "@/components/layout/bare-page"
import { Button, ButtonLink } from "@/components/ui/button"
import { CopyText } from "@/components/ui/copy-button"

/** Replaces a page that could not be rendered. */
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
    <MessagePage title="This page could not be shown" actions={actions}>
      <p>An internal error occurred and has been logged. Email that is being sent is not affected.</p>
      {digest ? (
        <p className="mt-3 flex items-center justify-center gap-2 text-xs">
          Reference <CopyText value={digest} name="reference" inline />
        </p>
      ) : null}
    </MessagePage>
  )
}
