/** The link that was followed last from each address, and how far each frame of it was scrolled. */
const ways = new Map<string, string>()
const scrolled = new Map<string, number>()
let returning = false

export function noteWay(to: URL) {
  returning = false
  ways.set(here(), to.pathname + to.search)
}

/** Back or Forward was pressed: what shows next is meant to look as it was left. */
export function noteReturn() {
  returning = true
}

export function noteScroll(frame: HTMLElement, name: string) {
  scrolled.set(`${here()} ${name}`, frame.scrollTop)
}

/** The link to focus after Back. */
export const wayToFocus = () => (returning ? ways.get(here()) : undefined)

/** How far to scroll a frame after Back. */
export const scrollOf = (name: string) => (returning ? scrolled.get(`${here()} ${name}`) : undefined)

const here = () => location.pathname + location.search
