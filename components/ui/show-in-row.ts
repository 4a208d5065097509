const edgePixels = 16

/** On a phone a row of chips or tabs scrolls sideways: brings the chosen one into sight, without moving the page. */
export function showInRow(chosen: HTMLElement | null) {
  const row = chosen?.closest<HTMLElement>("[role=group], [role=tablist], nav")
  if (!chosen || !row || row.scrollWidth <= row.clientWidth) return
  const [inner, outer] = [chosen.getBoundingClientRect(), row.getBoundingClientRect()]
  if (inner.left < outer.left) row.scrollLeft -= outer.left - inner.left + edgePixels
  if (inner.right > outer.right) row.scrollLeft += inner.right - outer.right + edgePixels
}
