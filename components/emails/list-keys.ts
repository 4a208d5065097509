import type { KeyboardEvent } from "react"

export type ListActions = {
  peek: string
  onPeek: (id: string) => void
  onSelect: (id: string, range: boolean) => void
  onSelectLoaded: () => void
  onClear: () => void
}

/** Space shows a row beside the list, X selects it, Shift with J or K selects on, Escape takes back. */
export function onListKey(event: KeyboardEvent<HTMLElement>, actions: ListActions) {
  if (event.defaultPrevented || !(event.target instanceof HTMLElement)) return
  const { target, key } = event
  if (target.closest("input:not([type=checkbox]), dialog, [role=menu]")) return
  const row = target.closest<HTMLElement>("[data-email]")
  const id = row?.dataset.email
  if (key === "Escape") {
    if (actions.peek) focusRow(actions.peek)
    return actions.peek ? actions.onPeek("") : actions.onClear()
  }
  if (!row || !id) return
  const act = actionOf(event, row, id, actions)
  if (!act) return
  event.preventDefault()
  act()
}

type Act = (() => void) | null

function actionOf(event: KeyboardEvent, row: HTMLElement, id: string, actions: ListActions): Act {
  const { key, shiftKey, altKey } = event
  const mod = event.ctrlKey || event.metaKey
  if (altKey) return null
  if (mod) return key.toLowerCase() === "a" ? actions.onSelectLoaded : null
  if (key === " " && event.target === row) return () => actions.onPeek(actions.peek === id ? "" : id)
  if (key.toLowerCase() === "x") return () => actions.onSelect(id, shiftKey)
  if (!shiftKey || (key !== "J" && key !== "K")) return null
  const rows = [...document.querySelectorAll<HTMLElement>("[data-email]")]
  const next = rows[rows.indexOf(row) + (key === "J" ? 1 : -1)]
  if (!next) return null
  return () => {
    // The row at which the range continues belongs to it.
    actions.onSelect(id, true)
    actions.onSelect(next.dataset.email ?? "", true)
    next.focus()
  }
}

/** The row of an email, or of its neighbour. */
export function rowOf(id: string, step = 0): HTMLElement | undefined {
  const rows = [...document.querySelectorAll<HTMLElement>("[data-email]")]
  return rows[rows.findIndex((row) => row.dataset.email === id) + step]
}

export function focusRow(id: string) {
  rowOf(id)?.focus()
}
