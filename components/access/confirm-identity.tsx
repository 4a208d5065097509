"use client"

import { lazy, Suspense, useState, type ReactNode } from "react"
import { problemOf } from "@/components/data/call"
import { Dialog } from "@/components/ui/dialog"
import { Skeleton } from "@/components/ui/loading"

const ProveIdentity = lazy(() => import("@/components/access/prove-identity"))

/**
 * For calls that need a fresh proof of who one is: hand the error of a refused call to `ask` with what to do once it is
 * given, and draw `dialog` outside of any form. False when the error is another one.
 */
export function useConfirmation(): { ask: (error: unknown, retry: () => void) => boolean; dialog: ReactNode } {
  const [waiting, setWaiting] = useState<{ retry: () => void }>()

  function ask(error: unknown, retry: () => void): boolean {
    if (problemOf(error).code !== "auth.confirmation_required") return false
    setWaiting({ retry })
    return true
  }
  function confirmed() {
    setWaiting(undefined)
    waiting?.retry()
  }

  const dialog = (
    <Dialog
      open={waiting !== undefined}
      onOpenChange={(open) => (open ? undefined : setWaiting(undefined))}
      size="small"
      title="Confirm your identity"
      description="You signed in a while ago. Enter your password to continue."
    >
      {waiting ? (
        <Suspense fallback={<Skeleton className="h-24" />}>
          <ProveIdentity onConfirmed={confirmed} />
        </Suspense>
      ) : null}
    </Dialog>
  )
  return { ask, dialog }
}
