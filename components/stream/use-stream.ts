"use client"

import { useEffect, useReducer, useState } from "react"
import type { Connection } from "@/components/stream/connection"
import { emptyLog, reduceLog } from "@/components/stream/event-log"
import { openStream } from "@/components/stream/open-stream"
import { createRateMeter } from "@/components/stream/rate"
import type { StreamEvent } from "@/components/stream/stream-event"

/** The stream of a project while the page is open: its connection, its events and their rate. */
export function useStream(projectId: string, { enabled = true }: { enabled?: boolean } = {}) {
  const [connection, setConnection] = useState<Connection>({ state: "connecting" })
  const [log, dispatch] = useReducer(reduceLog, emptyLog)
  const [meter] = useState(createRateMeter)
  const [round, setRound] = useState(0)
  useEffect(() => {
    if (!enabled) return
    const onEvents = (events: StreamEvent[]) => {
      meter.add(events.length, Date.now())
      dispatch({ do: "receive", events })
    }
    return openStream(projectId, { onEvents, onConnection: setConnection })
  }, [projectId, meter, round, enabled])
  return { connection, log, meter, dispatch, again: () => setRound((count) => count + 1) }
}
