"use client"

import { Button } from "@/components/ui/button"
import { cn } from "@/components/ui/cn"
import { dynamic } from "@/components/late-parts/dynamic"

/** Comes with an error that has an id, as few pages have another use of it; where it does not come either, the id is text. */
const CopyText = dynamic(() =>
  import("@/components/ui/copy-button").then(
    (module) => module.CopyText,
    () => PlainText,
  ),
)

function PlainText({ value }: { value: string }) {
  return <code>{value}</code>
}

type ErrorStateProps = {
  title?: string
  message: string
  requestId?: string
  onRetry?: () => void
  retrying?: boolean
  className?: string
}

export function ErrorState({
  title = "This could not be loaded",
  message,
  requestId,
  onRetry,
  retrying,
  className,
}: ErrorStateProps) {
  return (
    <div role="alert" className={cn("mx-auto flex max-w-xl flex-col items-center px-4 py-12 text-center", className)}>
      <p className="text-lg font-semibold">{title}</p>
      <p className="mt-1 text-balance text-muted">{message}</p>
      {onRetry ? (
        <Button className="mt-4" onClick={onRetry} loading={retrying}>
          Try again
        </Button>
      ) : null}
      {requestId ? (
        <p className="mt-4 flex max-w-full items-center gap-2 text-xs text-muted">
          Request <CopyText value={requestId} name="request id" inline />
        </p>
      ) : null}
    </div>
  )
}
