import { useEffect, useState } from "react"
import { totalOf, type Rate, type RateMeter, type Second } from "@/components/stream/rate"

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
export function useRateTitle(seconds: readonly Second[], { paused, missed }: { paused: boolean; missed: number }) {
  const rate = totalOf(seconds.at(-1) ?? {})
  const words = paused ? (missed > 0 ? `(${missed.toLocaleString("en")}) Live` : null) : `${rate}/s · Live`
  useEffect(() => {
    if (words === null) return
    const before = document.title
    const show = () => {
      document.title = paused || document.hidden ? words : before
    }
    show()
    document.addEventListener("visibilitychange", show)
    return () => {
      document.removeEventListener("visibilitychange", show)
      document.title = before
    }
  }, [words, paused])
}
