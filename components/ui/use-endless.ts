import { useVirtualizer } from "@tanstack/react-virtual"
import { useEffect, useEffectEvent, type RefObject } from "react"
import type { EndlessRest } from "@/components/ui/endless"

type Endless = {
  frame: RefObject<HTMLDivElement | null>
  keys: readonly string[]
  /** Of one row, as long as it has not been measured. */
  rowPixels: number
  rest: EndlessRest
}

/**
 * Any number of rows, of which only those in sight exist. Asks for more when the last of them comes into sight; after a
 * failure it waits to be asked. Loads what it needs to virtualise, so whoever uses it is loaded only for a long list.
 */
export function useEndless({ frame, keys, rowPixels, rest: { more, loading, failed, onMore } }: Endless) {
  // Nothing memoises what it gives: it leaves as values below.
  const rows = useVirtualizer({
    count: keys.length + Number(more),
    getScrollElement: () => frame.current,
    // The frame may have been scrolled before this code was loaded; without it, it would be scrolled to its beginning.
    initialOffset: () => frame.current?.scrollTop ?? 0,
    estimateSize: () => rowPixels,
    getItemKey: (index) => keys[index] ?? "more",
    overscan: 12,
  })
  const items = rows.getVirtualItems()
  const last = items.at(-1)?.index ?? 0
  const atEnd = more && !loading && !failed && last >= keys.length - 1
  const askForMore = useEffectEvent(onMore)
  useEffect(() => {
    if (atEnd) askForMore()
  }, [atEnd])
  return { items, height: rows.getTotalSize(), measure: rows.measureElement }
}
