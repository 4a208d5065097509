"use client"

import { useEffect, useRef, type ReactNode, type RefObject } from "react"
import { Button } from "@/components/ui/button"
import { noteScroll, scrollOf } from "@/components/ui/leaving"

/** What can be said of the rest of a list that is read as one scrolls: whether there is more, comes, or did not come. */
export type EndlessRest = { more: boolean; loading: boolean; failed: boolean; onMore: () => void }

type EndlessFrameProps = { label: string; frame?: RefObject<HTMLDivElement | null>; children: ReactNode }

/** Scrolls a long list in itself, and is a stop of the Tab key for it. */
export function EndlessFrame({ label, frame, children }: EndlessFrameProps) {
  const own = useRef<HTMLDivElement>(null)
  const element = frame ?? own
  useEffect(() => {
    // The router may show a kept page before others hear of the way back.
    const timer = setTimeout(() => {
      const [top, there] = [scrollOf(label), element.current]
      if (top && there) void import("@/components/ui/restore").then(({ restoreScroll }) => restoreScroll(there, top))
    })
    return () => clearTimeout(timer)
  }, [element, label])
  return (
    <div
      ref={element}
      onScroll={({ currentTarget }) => noteScroll(currentTarget, label)}
      tabIndex={0}
      role="region"
      aria-label={label}
      // Relative, or what is hidden in far rows makes the document as high as the list.
      className="relative max-h-[max(20rem,calc(100dvh-18rem))] scroll-pt-10 overflow-y-auto -outline-offset-2"
    >
      {children}
    </div>
  )
}

/** The end of the rows that are there, while more come or after they did not. */
export function RestNote({ failed, onMore }: Pick<EndlessRest, "failed" | "onMore">) {
  if (!failed) return <p className="px-4 py-3 text-muted">Loading more …</p>
  return (
    <p role="alert" className="flex items-center gap-3 px-4 py-1.5 text-bad">
      The rest could not be loaded.{" "}
      <Button size="small" onClick={onMore}>
        Try again
      </Button>
    </p>
  )
}
