import { askedWindow, type Asked, type Window } from "@/lib/metrics/window-rules"
import { requestInvalid } from "@/lib/platform/http/problems"

/** The window of a request; a range that cannot be is 400 with its pointer. */
export function requestedWindow(query: Asked, now: Date): Window {
  const window = askedWindow(query, now)
  if ("pointer" in window) throw requestInvalid(undefined, { errors: [window] })
  return window
}
