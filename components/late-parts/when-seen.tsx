"use client"

import { type ReactNode, useEffect, useRef, useState } from "react"

/** Renders what lies further down a page, and loads its code, once its place comes into view. */
export function WhenSeen({ placeholder, children }: { placeholder: ReactNode; children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null)
  const [seen, setSeen] = useState(false)

  useEffect(() => {
    if (seen || !place.current) return
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true)
    })
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [seen])

  return seen ? children : <div ref={place}>{placeholder}</div>
}
