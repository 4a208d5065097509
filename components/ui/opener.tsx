"use client"

import type { ReactNode } from "react"

/** Gives the one button inside it the job to open a dialog. */
export function Opener({ children, onOpen }: { children: ReactNode; onOpen: () => void }) {
  return (
    <span className="contents" onClick={onOpen} ref={announce}>
      {children}
    </span>
  )
}

function announce(wrapper: HTMLElement | null) {
  wrapper?.querySelector("button, a")?.setAttribute("aria-haspopup", "dialog")
}
