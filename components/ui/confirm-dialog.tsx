"use client"

import { lazy, Suspense, useState, type ReactNode } from "react"
import type { Question } from "@/components/ui/confirm-window"
import { Opener } from "@/components/ui/button"

const loadWindow = () => import("@/components/ui/confirm-window")
const ConfirmWindow = lazy(loadWindow)

type ConfirmDialogProps = Question & {
  trigger?: ReactNode
  open?: boolean
  onOpenChange?: (open: boolean) => void
}

/** Asks before something is lost. */
export function ConfirmDialog({ trigger, open, onOpenChange, ...question }: ConfirmDialogProps) {
  const [own, setOwn] = useState(false)
  function change(next: boolean) {
    setOwn(next)
    onOpenChange?.(next)
  }

  return (
    <>
      {trigger ? (
        <Opener onOpen={() => change(true)} onNear={() => void loadWindow()}>
          {trigger}
        </Opener>
      ) : null}
      {(open ?? own) ? (
        <Suspense>
          <ConfirmWindow {...question} onClose={() => change(false)} />
        </Suspense>
      ) : null}
    </>
  )
}
