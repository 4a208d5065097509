"use client"

import { useEffect, useRef, useState, type ReactNode } from "react"

type WhenSeenProps = {
  placeholder: ReactNode
  /** How much of its place must be in view, from 0 to 1. */
  share?: number
  children: ReactNode
}

/** Renders what lies further down a page, and loads its code, once its place comes into view. */
export function WhenSeen({ placeholder, share = 0, children }: WhenSeenProps) {
  const place = useRef<HTMLDivElement>(null)
  const [seen, setSeen] = useState(false)

  useEffect(() => {
    if (seen || !place.current) return
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting, intersectionRatio }) => isIntersecting && intersectionRatio >= share))
          setSeen(true)
      },
      { threshold: share },
    )
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [seen, share])

  return seen ? children : <div ref={place}>{placeholder}</div>
}
