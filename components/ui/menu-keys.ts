/** The items of a menu that can be reached, in order. */
export function menuItems(menu: HTMLElement): HTMLElement[] {
  return [...menu.querySelectorAll<HTMLElement>("[role^=menuitem]:not([aria-disabled=true])")]
}

/** Moves the focus as the ARIA practices say for a menu; true when the key meant something. */
export function focusByKey(menu: HTMLElement, key: string): boolean {
  const items = menuItems(menu)
  const at = items.findIndex((item) => item === document.activeElement)
  const next = itemForKey(items, at, key)
  next?.focus()
  return next !== undefined
}

function itemForKey(items: HTMLElement[], at: number, key: string): HTMLElement | undefined {
  if (key === "ArrowDown") return items[(at + 1) % items.length]
  if (key === "ArrowUp") return items[(at <= 0 ? items.length : at) - 1]
  if (key === "Home") return items[0]
  if (key === "End") return items.at(-1)
  if (key.length !== 1 || key === " ") return undefined
  const rotated = [...items.slice(at + 1), ...items.slice(0, at + 1)]
  return rotated.find((item) => item.textContent?.trim().toLowerCase().startsWith(key.toLowerCase()))
}

const gap = 4
const edge = 8

/** Below its button where there is room, above it otherwise; never outside the window. */
export function placeMenu(menu: HTMLElement, control: HTMLElement, align: "start" | "end") {
  const at = control.getBoundingClientRect()
  const size = menu.getBoundingClientRect()
  const below = innerHeight - at.bottom - gap - edge
  const above = at.top - gap - edge
  const goesUp = size.height > below && above > below
  const wished = align === "start" ? at.left : at.right - size.width
  const height = Math.min(size.height, goesUp ? above : below)
  menu.style.maxHeight = `${goesUp ? above : below}px`
  menu.style.left = `${Math.max(edge, Math.min(wished, document.documentElement.clientWidth - size.width - edge))}px`
  menu.style.top = `${goesUp ? at.top - gap - height : at.bottom + gap}px`
}
