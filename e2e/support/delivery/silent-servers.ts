import { spawn } from "node:child_process"
import { once } from "node:events"
import { connect, type Socket } from "node:net"

/** Servers that a packet never comes back from, as behind a firewall that drops it. */
export type SilentServers = { stop(): Promise<void> }

/** Each listens in a process that stands still, with a queue of connections that is full: the system drops all others. */
export async function silentServers(addresses: readonly string[], port: number): Promise<SilentServers> {
  const listening = `for (const host of ${JSON.stringify(addresses)}) require("net").createServer().listen({ host, port: ${port}, backlog: 1 })
    process.on("message", () => process.kill(process.pid, "SIGSTOP"))
    setImmediate(() => process.send("ready"))`
  const child = spawn(process.execPath, ["-e", listening], { stdio: ["ignore", "inherit", "inherit", "ipc"] })
  await once(child, "message")
  child.send("stop")
  const waiting: Socket[] = []
  await Promise.all(addresses.map(fill))
  return {
    async stop() {
      for (const socket of waiting) socket.destroy()
      child.kill("SIGKILL")
      await once(child, "exit")
    },
  }

  async function fill(host: string): Promise<void> {
    let taken = true
    while (taken) {
      const socket = connect({ host, port })
      waiting.push(socket.on("error", () => {}))
      taken = await Promise.race([
        once(socket, "connect").then(() => true),
        new Promise<boolean>((resolve) => setTimeout(() => resolve(false), 500)),
      ])
    }
  }
}
