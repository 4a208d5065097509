"use client"

import type { ReactNode } from "react"

type OpenerProps = {
  children: ReactNode
  onOpen: () => void
  /** The pointer or the focus is on the button: what it opens can be loaded. */
  onNear?: () => void
}

/** Gives the one button inside it the job to open a dialog. */
export function Opener({ children, onOpen, onNear }: OpenerProps) {
  return (
    <span className="contents" onClick={onOpen} onPointerEnter={onNear} onFocus={onNear} ref={announce}>
      {children}
    </span>
  )
}

function announce(wrapper: HTMLElement | null) {
  wrapper?.querySelector("button, a")?.setAttribute("aria-haspopup", "dialog")
}
