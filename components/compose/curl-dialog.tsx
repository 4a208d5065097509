"use client"

import { lazy, Suspense } from "react"
import type { Fields } from "@/components/compose/fields"
import { Dialog } from "@/components/ui/dialog"
import { Skeleton } from "@/components/ui/skeleton"

const CurlCommand = lazy(() => import("@/components/compose/curl-command"))

type CurlDialogProps = { fields: Fields; projectId: string; baseUrl: string; onClose: () => void }

/** The email in the form as a command, made when the dialog opens instead of at every keystroke. */
export function CurlDialog({ onClose, ...props }: CurlDialogProps) {
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Send this email with curl"
      description="The same request as one command. Set MAILROOM_API_KEY to one of your keys first. To retry it safely, give it an idempotencyKey in its body; the header Idempotency-Key is not read."
      size="large"
    >
      <Suspense fallback={<Skeleton className="h-60" />}>
        <CurlCommand {...props} />
      </Suspense>
    </Dialog>
  )
}
