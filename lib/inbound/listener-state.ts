import { connect } from "node:net"
import { regionSettings } from "@/lib/regions/settings"

export type ListenerState = "open" | "local" | "closed"

const keptMs = 10_000
const answersWithinMs = 500

let kept: { until: number; answer: Promise<ListenerState> } | undefined

/** Whether the process `mail` of this machine takes connections, and from where. Asked at most every 10 s. */
export function listenerState(): Promise<ListenerState> {
  if (kept && kept.until > performance.now()) return kept.answer
  const { port, host } = regionSettings().inbound
  const answer = isOpen(port).then((open): ListenerState => (!open ? "closed" : host === undefined ? "open" : "local"))
  kept = { until: performance.now() + keptMs, answer }
  return answer
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1", timeout: answersWithinMs })
    const end = (open: boolean) => {
      socket.destroy()
      resolve(open)
    }
    socket.once("connect", () => end(true))
    socket.once("error", () => end(false))
    socket.once("timeout", () => end(false))
  })
}
