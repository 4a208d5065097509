"use client"

import { useEffect, useState } from "react"
import { Pill, type Tone } from "@/components/ui/pill"
import type { Connection } from "@/components/stream/connection"

/** The state of the connection. Screen readers announce changes, but not the countdown. */
export function ConnectionWords({ connection }: { connection: Connection }) {
  const { tone, word, tip } = words[connection.state]
  return (
    <span className="flex flex-wrap items-center gap-2">
      <span role="status" aria-live="polite">
        <Pill tone={tone} tip={tip}>
          {word}
        </Pill>
      </span>
      {connection.state === "waiting" ? <Countdown until={connection.until} attempt={connection.attempt} /> : null}
    </span>
  )
}

const words: Record<Connection["state"], { tone: Tone; word: string; tip: string }> = {
  connecting: { tone: "warn", word: "Connecting", tip: "Opening the stream." },
  open: { tone: "good", word: "Live", tip: "The stream is open: events appear as they happen." },
  waiting: {
    tone: "warn",
    word: "Reconnecting",
    tip: "The connection was lost. No event is missed: the stream resumes after the last one.",
  },
  refused: { tone: "bad", word: "Not allowed", tip: "The stream cannot be opened. See the reason below." },
}

function Countdown({ until, attempt }: { until: number; attempt: number }) {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  const seconds = Math.max(0, Math.ceil((until - now) / 1000))
  return (
    <span className="text-muted tabular-nums" aria-hidden="true">
      {seconds > 0 ? `in ${seconds} s` : "now"}, attempt {attempt}
    </span>
  )
}
