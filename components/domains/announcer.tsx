"use client"

import { useEffect, useRef, useState } from "react"
import { changesBetween } from "@/components/domains/live"
import type { Domain } from "@/components/domains/types"

/** Reads aloud what changes while the page is open: "DKIM verified." */
export function Announcer({ domain }: { domain: Domain }) {
  const before = useRef(domain)
  const [news, setNews] = useState("")
  useEffect(() => {
    const changes = changesBetween(before.current, domain)
    before.current = domain
    if (changes.length > 0) setNews(changes.join(" "))
  }, [domain])
  return (
    <p role="status" className="sr-only">
      {news}
    </p>
  )
}
