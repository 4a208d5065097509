/** A press that has waited for longer is one that nobody expects to be done any more. */
const keptMs = 8_000

let missed: Event | null = null

// React ends a press on what does not run yet at the document, so that nothing below hears of it.
if (typeof window !== "undefined") {
  window.addEventListener("click", (press) => (missed = press), true)
  document.documentElement.addEventListener("click", () => (missed = null), true)
}

/** Presses the button that was last pressed in vain. If it does not run yet, that is in vain again. */
export function pressAgain() {
  if (missed?.target instanceof Element && performance.now() - missed.timeStamp < keptMs)
    missed.target.closest<HTMLElement>("button[type=button]")?.click()
}
