"use client"

import { useLayoutEffect, useRef, type MouseEvent, type ReactNode, type SyntheticEvent } from "react"
import { cn } from "@/components/ui/cn"
import { useStay } from "@/components/ui/use-stay"

type ModalProps = {
  labelledBy: string
  describedBy?: string
  /** An alert asks for an answer: a press beside it does not close it. */
  alert?: boolean
  /** Closes only by what is inside it, and closing the tab asks first: what it shows would be lost. */
  locked?: boolean
  onClose: () => void
  className?: string
  children: ReactNode
}

/**
 * The browser's own modal dialog: it keeps the focus inside, makes the rest inert, closes with Escape and gives the
 * focus back, at no cost in script. Mount it to open it.
 */
export function Modal({ labelledBy, describedBy, alert, locked, onClose, className, children }: ModalProps) {
  const element = useRef<HTMLDialogElement>(null)
  useStay(Boolean(locked))
  useLayoutEffect(() => {
    const dialog = element.current
    if (!dialog) return
    dialog.showModal()
    focusFirstField(dialog, Boolean(alert))
    return () => dialog.close()
  }, [alert])

  function onClick(event: MouseEvent<HTMLDialogElement>) {
    event.stopPropagation()
    if (!alert && !locked && event.target === event.currentTarget) onClose()
  }

  /** Closes at once: the browser's own event comes a moment later, when a fast hand may have opened the next dialog. */
  function onCancel(event: SyntheticEvent<HTMLDialogElement>) {
    // A file picker inside tells its own.
    if (event.target !== event.currentTarget) return
    event.preventDefault()
    if (!locked) onClose()
  }

  return (
    <dialog
      ref={element}
      tabIndex={-1}
      role={alert ? "alertdialog" : undefined}
      aria-labelledby={labelledBy}
      aria-describedby={describedBy}
      onClick={onClick}
      onCancel={onCancel}
      // The event comes late: in between, React's strict mode may have opened the dialog again.
      onClose={(event) => {
        if (event.target !== event.currentTarget || event.currentTarget.open) return
        // Browsers let a second Escape through.
        if (locked) event.currentTarget.showModal()
        else onClose()
      }}
      className={cn(
        "mx-auto mt-[min(10vh,5rem)] mb-auto max-h-[calc(90dvh-1rem)] w-[calc(100%-2rem)] animate-appear overflow-y-auto rounded-lg",
        "border border-line bg-panel text-left text-base font-normal whitespace-normal text-text shadow-float backdrop:animate-appear",
        "outline-hidden backdrop:bg-veil",
        className,
      )}
    >
      {children}
    </dialog>
  )
}

/**
 * A form is ready to be typed into. What is only read takes the focus itself, since the browser would put it on the
 * button that closes; of an alert the browser's choice, its first answer, is right.
 */
function focusFirstField(dialog: HTMLElement, alert: boolean) {
  const field = "input:not([type=hidden], [readonly], :disabled), textarea:not(:disabled), select:not(:disabled)"
  const first = dialog.querySelector<HTMLElement>(field)
  if (first ?? !alert) (first ?? dialog).focus()
}
