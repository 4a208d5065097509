"use client"

import { useOpenedAt } from "@/components/ui/relative-time"
import { useEffect, useReducer, useRef, useState } from "react"
import { call, problemOf } from "@/components/data/call"
import { emptyLog, reduceLog, parseEvent, type StreamEvent } from "@/components/stream/events"
import { createRateMeter } from "@/components/stream/rate"
import { Pill, type Tone } from "@/components/ui/pill"

type Options = {
  enabled?: boolean
  /** Begins with the newest events from before. */
  recall?: boolean
}

/** The stream of a project while the page is open: its connection, its events and their rate. */
export function useStream(projectId: string, { enabled = true, recall = false }: Options = {}) {
  const [connection, setConnection] = useState<StreamConnection>({ state: "connecting" })
  const [log, dispatch] = useReducer(reduceLog, emptyLog)
  const [meter] = useState(createRateMeter)
  const [round, setRound] = useState(0)
  const last = useRef<string>(undefined)
  useEffect(() => {
    if (!enabled) return
    const onEvents = (events: StreamEvent[]) => {
      meter.add(
        events.map(({ type }) => type),
        Date.now(),
      )
      dispatch({ do: "receive", events })
    }
    let close = () => undefined as void
    let stopped = false
    async function open() {
      const events = recall && !last.current ? await recentEvents(projectId) : []
      if (stopped) return
      if (events.length) dispatch({ do: "recall", events })
      last.current = events.at(-1)?.id ?? last.current
      close = openStream(projectId, {
        ...(last.current ? { after: last.current } : {}),
        onConnection: setConnection,
        onEvents: (arrived) => {
          last.current = arrived.at(-1)?.id
          onEvents(arrived)
        },
      })
    }
    void open()
    return () => {
      stopped = true
      close()
    }
  }, [projectId, meter, round, enabled, recall])
  return { connection, log, meter, dispatch, again: () => setRound((count) => count + 1) }
}

/** None if they cannot be read: the stream is what the page is for. */
async function recentEvents(projectId: string): Promise<StreamEvent[]> {
  try {
    return (await call("GET /v1/projects/{projectId}/events", { params: { projectId } })).data
  } catch {
    return []
  }
}

type Listener = {
  /** The id of the event after which the first connection begins. */
  after?: string
  onEvents: (events: StreamEvent[]) => void
  onConnection: (connection: StreamConnection) => void
}

/**
 * Keeps the event stream of a project open: each connection takes a new token and resumes after the last event, with
 * backoff between attempts. Events arrive in batches, at most 20 times a second. Call the result to stop.
 */
function openStream(projectId: string, { after, onEvents, onConnection }: Listener): () => void {
  let source: EventSource | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let flushing: number | undefined
  let last = after
  let failures = 0
  let stopped = false
  let batch: StreamEvent[] = []
  void connect()

  return () => {
    stopped = true
    source?.close()
    clearTimeout(timer)
    clearTimeout(flushing)
  }

  async function connect() {
    onConnection({ state: "connecting" })
    try {
      const { token } = await call("POST /v1/emails/{projectId}/stream/token", { params: { projectId } })
      if (stopped) return
      listen(token)
    } catch (error) {
      if (stopped) return
      const { status, detail, title, requestId } = problemOf(error)
      // Not signed in, not allowed, no such project: a retry would fail the same way.
      if (status >= 400 && status < 500 && status !== 408 && status !== 429) {
        return onConnection({ state: "refused", reason: detail ?? title, requestId })
      }
      retry()
    }
  }

  function listen(token: string) {
    const search = new URLSearchParams({ token, ...(last ? { after: last } : {}) })
    source = new EventSource(`/v1/emails/stream?${search}`)
    source.onopen = () => {
      failures = 0
      onConnection({ state: "open" })
    }
    source.onmessage = ({ data }) => {
      const event = parseEvent(String(data))
      if (!event) return
      last = event.id
      batch.push(event)
      flushing ??= window.setTimeout(flush, 50)
    }
    // The browser's own reconnect would send the used token again.
    source.onerror = () => {
      source?.close()
      if (!stopped) retry()
    }
  }

  function flush() {
    flushing = undefined
    const events = batch
    batch = []
    onEvents(events)
  }

  function retry() {
    const wait = backoff(failures, Math.random)
    failures += 1
    onConnection({ state: "waiting", until: Date.now() + wait, attempt: failures })
    timer = setTimeout(() => void connect(), wait)
  }
}

export type StreamConnection =
  | { state: "connecting" }
  | { state: "open" }
  /** Lost: the next attempt is at this time, in milliseconds since 1970. */
  | { state: "waiting"; until: number; attempt: number }
  /** Refused for a reason that a retry does not fix. */
  | { state: "refused"; reason: string; requestId?: string }

const firstMs = 1_000
const longestMs = 30_000

/** Backoff before the nth retry in milliseconds: doubled each time, up to 30 s, with 20 % jitter. */
export function backoff(attempt: number, random: () => number): number {
  const step = Math.min(longestMs, firstMs * 2 ** Math.min(attempt, 10))
  return Math.round(step * (0.8 + random() * 0.4))
}

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
  const [now, setNow] = useState(useOpenedAt())
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
