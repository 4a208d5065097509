import { createSocket } from "node:dgram"
import { createServer } from "node:net"

export type WantedPort = { port: number; variable: string; host?: string; udp?: true }

/** One sentence for each port that another program holds, naming the variable that moves ours. */
export async function takenPorts(wanted: WantedPort[]): Promise<string[]> {
  const said = await Promise.all(
    wanted.map(async ({ port, variable, host, udp }) => {
      const code = udp ? await datagramComplaint(port, host) : await complaintOf(port, host)
      if (code === null) return null
      if (code === "EACCES")
        return `Port ${port} may not be opened by this user. Choose another: ${variable}=${port + 8000} npm start`
      return `Port ${port} is taken by another program. Stop that, or choose another: ${variable}=${port + 1} npm start`
    }),
  )
  return said.filter((sentence) => sentence !== null)
}

function datagramComplaint(port: number, host: string | undefined): Promise<string | null> {
  return new Promise((resolve) => {
    const probe = createSocket("udp4")
    probe.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? "EADDRINUSE"))
    probe.bind(port, host, () => probe.close(() => resolve(null)))
  })
}

function complaintOf(port: number, host: string | undefined): Promise<string | null> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? "EADDRINUSE"))
    probe.listen({ port, host }, () => probe.close(() => resolve(null)))
  })
}
