import { Socket } from "node:net"
import { runChild } from "@/lib/server/processes/supervise"
import { runWorker } from "@/lib/worker/run"

// A mail to "crash…" ends the process the moment it is sent, as a defect in native code or a lack of memory would.
const write = Socket.prototype.write
Socket.prototype.write = function (this: Socket, ...given: Parameters<typeof write>) {
  const [chunk] = given as unknown[]
  if (String(chunk).includes("RCPT TO:<crash")) process.kill(process.pid, "SIGKILL")
  return write.apply(this, given)
} as typeof write

await runChild((signal) => runWorker(signal, { leaseMs: 500 }))
