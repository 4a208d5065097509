"use client"

import { useEffect, useState } from "react"
import { Pill, type Tone } from "@/components/ui/pill"
import type { StreamConnection } from "@/components/stream/use-stream"

type ConnectionWordsProps = { connection: StreamConnection; paused?: boolean }

/** The state of the connection, or that an open one is paused. Screen readers announce changes, but not the countdown. */
export function ConnectionWords({ connection, paused = false }: ConnectionWordsProps) {
  const { tone, word, tip } = paused && connection.state === "open" ? pausedWords : words[connection.state]
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

type Words = { tone: Tone; word: string; tip: string }

const pausedWords: Words = {
  tone: "wait",
  word: "Paused",
  tip: "The stream is open: new events are held back and shown when you resume.",
}

const words: Record<StreamConnection["state"], Words> = {
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
