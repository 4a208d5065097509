"use client"

import { useEffect, useRef, useState, type ReactNode } from "react"

/** Scrolls sideways where its content is too wide, and only then is a stop of the Tab key. */
export function ScrollFrame({ label, children }: { label: string; children: ReactNode }) {
  const frame = useRef<HTMLDivElement>(null)
  const [scrolls, setScrolls] = useState(false)
  useEffect(() => {
    const element = frame.current
    if (!element) return
    const measure = () => setScrolls(element.scrollWidth > element.clientWidth + 1)
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])

  return (
    <div
      ref={frame}
      role={scrolls ? "region" : undefined}
      aria-label={scrolls ? `${label}, scrolls sideways` : undefined}
      tabIndex={scrolls ? 0 : undefined}
      className="relative overflow-x-auto -outline-offset-2"
    >
      {children}
    </div>
  )
}
