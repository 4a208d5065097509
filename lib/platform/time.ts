/** Milliseconds. */
export const hourMs = 60 * 60 * 1000
export const dayMs = 24 * hourMs

/** Time as an argument, so that tests move it instead of waiting for it. */
export type Clock = { now(): Date }

export const systemClock: Clock = { now: () => new Date() }

/** When the hour of a moment and those before it begin, oldest first. */
export function lastHours(now: Date, count = 24): Date[] {
  const last = Math.floor(now.getTime() / hourMs)
  return Array.from({ length: count }, (_, at) => new Date((last - count + 1 + at) * hourMs))
}

/** A row for each of the hours: the stored one, or what an hour without any counts. */
export function rowsOfHours<Counts extends object>(
  hours: readonly Date[],
  rows: readonly (Counts & { hour: Date })[],
  none: Counts,
): (Counts & { hour: Date })[] {
  const stored = new Map(rows.map((row) => [row.hour.getTime(), row]))
  return hours.map((hour) => stored.get(hour.getTime()) ?? { ...none, hour })
}

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
