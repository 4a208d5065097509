import { renderToStaticMarkup } from "react-dom/server"
import { expect, it } from "vitest"
import { type StreamConnection, ConnectionWords } from "@/components/stream/stream-connection"

const html = (connection: StreamConnection, paused: boolean) =>
  renderToStaticMarkup(<ConnectionWords connection={connection} paused={paused} />)

it("an open stream is live in green, while paused it is called so in grey", () => {
  expect(html({ state: "open" }, false)).toMatch(/text-good.*>Live</)
  expect(html({ state: "open" }, true)).toMatch(/text-wait.*>Paused</)
  expect(html({ state: "open" }, true)).not.toContain("Live")
})

it("a connection that is not open is called what it is, paused or not", () => {
  const others: StreamConnection[] = [
    { state: "connecting" },
    { state: "waiting", until: 0, attempt: 1 },
    { state: "refused", reason: "The session has ended." },
  ]
  for (const connection of others) {
    expect(html(connection, true)).not.toContain("Paused")
    expect(html(connection, true)).toBe(html(connection, false))
  }
})
