import { useEffect, useState } from "react"
import { formatNumber } from "@/lib/platform/format"
import { totalOf, type Rate, type RateMeter, type TypeCounts } from "@/components/stream/rate"

/** The last 120 seconds, read anew every second. */
export function useRate(meter: RateMeter): Rate {
  const [rate, setRate] = useState(() => meter.read(Date.now()))
  useEffect(() => {
    const timer = setInterval(() => setRate(meter.read(Date.now())), 1_000)
    return () => clearInterval(timer)
  }, [meter])
  return rate
}

/** While the page is in the background its title is the rate; while it is paused, the number that waits. */
export function useRateTitle(seconds: readonly TypeCounts[], { paused, missed }: { paused: boolean; missed: number }) {
  const rate = totalOf(seconds.at(-1) ?? {})
  const words = paused ? (missed > 0 ? `(${formatNumber(missed)}) Live` : null) : `${rate}/s · Live`
  useEffect(() => {
    if (words === null) return
    let before = ""
    const restore = () => {
      if (before && document.title === words) document.title = before
      before = ""
    }
    const show = () => {
      if (!paused && !document.hidden) return restore()
      // While another page takes over there is no title: one that is set now would stay in front of that page's own.
      if (!document.title || document.title === words) return
      before = document.title
      document.title = words
    }
    show()
    document.addEventListener("visibilitychange", show)
    return () => {
      document.removeEventListener("visibilitychange", show)
      restore()
    }
  }, [words, paused])
}
