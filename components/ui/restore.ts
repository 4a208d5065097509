/** How long a page may take to show again what it showed. */
const patienceMs = 5_000

/** Focuses the row or link that the user had followed, as soon as it exists, unless the user has moved on. */
export function restoreFocus(href: string): () => void {
  return until(document.body, () => {
    if (document.activeElement !== document.body) return true
    const link = document.querySelector<HTMLElement>(`main a[href="${CSS.escape(href)}"]`)
    const row = link?.closest<HTMLElement>("[data-row]") ?? link
    row?.focus({ preventScroll: true })
    return Boolean(row)
  })
}

/** Scrolls a frame to where it was left, as soon as so much of it is there. */
export function restoreScroll(frame: HTMLElement, top: number): () => void {
  return until(frame, () => {
    frame.scrollTop = top
    return Math.abs(frame.scrollTop - top) < 2
  })
}

/** Tries now and after every change below the element; the returned function ends it. */
function until(element: HTMLElement, done: () => boolean): () => void {
  const observer = new MutationObserver(() => done() && stop())
  const stop = () => observer.disconnect()
  if (done()) return stop
  observer.observe(element, { childList: true, subtree: true, attributes: true, attributeFilter: ["style"] })
  setTimeout(stop, patienceMs)
  return stop
}
