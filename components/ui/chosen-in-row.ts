import { useState } from "react"

const edgePixels = 16

/** On a phone a row of chips or tabs scrolls sideways: brings the chosen one into sight, without moving the page. */
export function showInRow(chosen: HTMLElement | null) {
  const row = chosen?.closest<HTMLElement>("[role=group], [role=tablist], nav")
  if (!chosen || !row || row.scrollWidth <= row.clientWidth) return
  const [inner, outer] = [chosen.getBoundingClientRect(), row.getBoundingClientRect()]
  if (inner.left < outer.left) row.scrollLeft -= outer.left - inner.left + edgePixels
  if (inner.right > outer.right) row.scrollLeft += inner.right - outer.right + edgePixels
}

/**
 * Which of several parts in a row the Tab key stops at: the last one, until another is chosen. It is kept by its key, because
 * another window of time has other parts at the same places.
 */
export function useStop(keys: readonly string[]): [index: number, choose: (key: string) => void] {
  const [chosen, choose] = useState<string>()
  const found = chosen === undefined ? -1 : keys.indexOf(chosen)
  return [found === -1 ? keys.length - 1 : found, choose]
}
