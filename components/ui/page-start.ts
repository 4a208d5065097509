import { useSyncExternalStore, useEffect, useState } from "react"

/** False on the server and during hydration, then true: the reader's time zone and stored choices are known in the browser alone. */
export function useInBrowser(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}

/** Subscribes to what does not change by itself. */
export function never() {
  return () => undefined
}

const touches = ["pointermove", "pointerdown", "keydown", "focusin"]

/** True from the next touch of mouse, finger or keyboard on: what nobody can use before is loaded then. */
export function useTouched(): boolean {
  const [touched, setTouched] = useState(false)
  useEffect(() => {
    const touch = () => setTouched(true)
    for (const name of touches) window.addEventListener(name, touch, { once: true })
    return () => touches.forEach((name) => window.removeEventListener(name, touch))
  }, [])
  return touched
}
