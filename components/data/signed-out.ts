let isOut = false
const listeners = new Set<() => void>()

/** Whether the last answer said that nobody is signed in: the session has ended, or was ended in another tab. */
export const isSignedOut = () => isOut

export function noteSignedOut(now: boolean) {
  if (now === isOut) return
  isOut = now
  listeners.forEach((tell) => tell())
}

export function subscribeToSignedOut(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
