import { call } from "@/components/data/call"
import { problemOf } from "@/components/data/problem"
import { backoff, type Connection } from "@/components/stream/connection"
import { parseEvent, type StreamEvent } from "@/components/stream/stream-event"

type Listener = {
  /** The id of the event after which the first connection begins. */
  after?: string
  onEvents: (events: StreamEvent[]) => void
  onConnection: (connection: Connection) => void
}

/**
 * Keeps the event stream of a project open: each connection takes a new token and resumes after the last event, with
 * backoff between attempts. Events arrive in batches, at most 20 times a second. Call the result to stop.
 */
export function openStream(projectId: string, { after, onEvents, onConnection }: Listener): () => void {
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
