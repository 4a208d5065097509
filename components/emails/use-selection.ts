import { useCallback, useState } from "react"
import { extended, nothingSelected, toggled, type Selection } from "@/components/emails/selection"

/** What is selected in a list; another list begins with nothing. */
export function useSelection(list: string, rows: readonly string[]) {
  const [state, setState] = useState({ list, selection: nothingSelected })
  if (state.list !== list) setState({ list, selection: nothingSelected })
  const set = useCallback(
    (change: (before: Selection) => Selection) =>
      setState(({ list: same, selection }) => ({ list: same, selection: change(selection) })),
    [],
  )
  return {
    selection: state.selection,
    select: (id: string, range: boolean) => set((before) => (range ? extended(before, rows, id) : toggled(before, id))),
    selectLoaded: () => set(() => ({ ids: rows, anchor: null, all: false })),
    selectAll: () => set((before) => ({ ...before, all: true })),
    clear: () => set(() => nothingSelected),
  }
}
