/**
 * Aborts with `signal`, or with a `TimeoutError` after so many milliseconds. Of the signals that `AbortSignal.any` combines,
 * Node 20 loses a timeout at the next garbage collection, so that it never ends what waits for it.
 */
export function withTimeLimit(signal: AbortSignal, ms: number): AbortSignal {
  return timeLimit(signal, ms).signal
}

/** The same; `release` ends the wait early, where many limits of one signal come and go. */
export function timeLimit(signal: AbortSignal, ms: number): { signal: AbortSignal; release: () => void } {
  const limited = new AbortController()
  const stop = () => limited.abort(signal.reason)
  const timer = setTimeout(
    () => limited.abort(new DOMException("The operation was aborted due to timeout", "TimeoutError")),
    ms,
  ).unref()
  const release = () => {
    clearTimeout(timer)
    signal.removeEventListener("abort", stop)
  }
  limited.signal.addEventListener("abort", release, { once: true })
  if (signal.aborted) stop()
  else signal.addEventListener("abort", stop, { once: true })
  return { signal: limited.signal, release }
}
