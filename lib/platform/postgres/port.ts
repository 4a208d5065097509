import { createServer, type AddressInfo } from "node:net"

const firstPort = 5480

/** The remembered port while it is free, else the first free one from 5480 on, else any. */
export async function freePort(remembered: number | undefined): Promise<number> {
  for (const port of [remembered, firstPort, firstPort + 1, firstPort + 2, 0]) {
    const free = port === undefined ? null : await bound(port)
    if (free) return free
  }
  throw new Error("No port on 127.0.0.1 is free for the database.")
}

function bound(port: number): Promise<number | null> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once("error", () => resolve(null))
    probe.listen(port, "127.0.0.1", () => {
      const { port: got } = probe.address() as AddressInfo
      probe.close(() => resolve(got))
    })
  })
}
