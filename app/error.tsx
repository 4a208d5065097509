"use client"

import { MessagePage } from "@/components/layout/message-page"
import { Button, ButtonLink } from "@/components/ui/button"
import { CopyText } from "@/components/ui/copy-text"

type ErrorPageProps = { error: Error & { digest?: string }; reset: () => void }

export default function ErrorPage({ error, reset }: ErrorPageProps) {
  const actions = (
    <>
      <Button variant="primary" onClick={reset}>Try again</Button>
      <ButtonLink href="/">Go to the overview</ButtonLink>
    </>
  )
  return (
    <MessagePage title="This page broke" actions={actions}>
      <p>The fault is ours and has been logged. Mail that is being sent is not affected.</p>
      {error.digest ? (
        <p className="mt-3 flex items-center justify-center gap-2 text-xs">
          Reference <CopyText value={error.digest} name="reference" inline />
        </p>
      ) : null}
    </MessagePage>
  )
}
