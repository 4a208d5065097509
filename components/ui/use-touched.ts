import { useEffect, useState } from "react"

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
