"use client"

import { useQueryClient } from "@tanstack/react-query"
import { useEffect, useRef } from "react"
import { countsRoute } from "@/components/data/use-call"

const atMostEveryMs = 5_000

/** Counts the items of the navigation anew when a page shows news that others have made, at most every 5 seconds. */
export function useCountsOf(news: number | undefined): void {
  const client = useQueryClient()
  const last = useRef({ news, at: 0 })
  useEffect(() => {
    // What a page begins with is no news.
    if (news === undefined || last.current.news === undefined) last.current.news = news
    if (news === last.current.news) return
    const wait = Math.max(0, last.current.at + atMostEveryMs - Date.now())
    const timer = setTimeout(() => {
      last.current = { news, at: Date.now() }
      void client.invalidateQueries({ queryKey: [countsRoute] })
    }, wait)
    return () => clearTimeout(timer)
  }, [client, news])
}
