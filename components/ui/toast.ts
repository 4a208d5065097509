"use client"

import type { ExternalToast, toast as sonnerToast } from "sonner"

type Kind = "success" | "error" | "message"
type Waiting = { kind: Kind; text: string; options?: ToastOptions }

export type ToastOptions = Pick<ExternalToast, "description" | "duration" | "id"> & {
  action?: { label: string; onClick: () => void }
}

/** Short notes at the edge of the window. The code that draws them is loaded with the first one. */
export const toast = {
  success: (text: string, options?: ToastOptions) => say({ kind: "success", text, options }),
  error: (text: string, options?: ToastOptions) => say({ kind: "error", text, options }),
  message: (text: string, options?: ToastOptions) => say({ kind: "message", text, options }),
}

/** How long a toast stays that can undo something, in milliseconds. */
export const undoMs = 10_000

let sink: typeof sonnerToast | undefined
let wanted = false
const queue: Waiting[] = []
const listeners = new Set<() => void>()

/** For the host component: called once, when the first toast is shown. */
export function subscribeToToasts(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function toastsWanted(): boolean {
  return wanted
}

/** For the host: where toasts go from now on; those that waited go first. */
export function openToasts(target: typeof sonnerToast) {
  sink = target
  for (const waiting of queue.splice(0)) show(target, waiting)
}

function say(waiting: Waiting) {
  if (sink) return show(sink, waiting)
  queue.push(waiting)
  wanted = true
  listeners.forEach((tell) => tell())
}

function show(target: typeof sonnerToast, { kind, text, options }: Waiting) {
  target[kind](text, options)
}
