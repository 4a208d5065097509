"use client"

import { useEffect, useReducer, useRef, useState } from "react"
import { call } from "@/components/data/call"
import type { Connection } from "@/components/stream/connection"
import { emptyLog, reduceLog } from "@/components/stream/event-log"
import { openStream } from "@/components/stream/open-stream"
import { createRateMeter } from "@/components/stream/rate"
import type { StreamEvent } from "@/components/stream/stream-event"

type Options = {
  enabled?: boolean
  /** Begins with the newest events from before. */
  recall?: boolean
}

/** The stream of a project while the page is open: its connection, its events and their rate. */
export function useStream(projectId: string, { enabled = true, recall = false }: Options = {}) {
  const [connection, setConnection] = useState<Connection>({ state: "connecting" })
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
