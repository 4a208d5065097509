import { createSocket } from "node:dgram"
import { createServer } from "node:net"

export type WantedPort = { port: number; variable: string; host?: string; udp?: true }

/** One sentence for each port in use by another program, naming the variable that changes ours. */
export async function takenPorts(wanted: WantedPort[]): Promise<string[]> {
  const problems = await Promise.all(
    wanted.map(async ({ port, variable, host, udp }) => {
      const code = udp ? await udpErrorCode(port, host) : await tcpErrorCode(port, host)
      if (code === null) return null
      if (code === "EACCES")
        return `Port ${port} may not be opened by this user. Choose another: ${variable}=${port + 8000} npm start`
      return `Port ${port} is in use by another program. Stop that, or choose another: ${variable}=${port + 1} npm start`
    }),
  )
  return problems.filter((sentence) => sentence !== null)
}

function udpErrorCode(port: number, host: string | undefined): Promise<string | null> {
  return new Promise((resolve) => {
    const probe = createSocket("udp4")
    probe.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? "EADDRINUSE"))
    probe.bind(port, host, () => probe.close(() => resolve(null)))
  })
}

function tcpErrorCode(port: number, host: string | undefined): Promise<string | null> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? "EADDRINUSE"))
    probe.listen({ port, host }, () => probe.close(() => resolve(null)))
  })
}
