import { connect as connectPlain, isIP, type Socket } from "node:net"
import { connect as connectTls, type ConnectionOptions, type TLSSocket } from "node:tls"

export type SocketLimits = { connectTimeoutMs: number; tlsTimeoutMs: number }

/** Opens a TCP connection; with `tls` a TLS one at once. Rejects with a plain Error, leaving nothing open. */
export function openSocket(
  { host, port }: { host: string; port: number },
  tls: ConnectionOptions | null,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<Socket | TLSSocket> {
  if (!tls) return settled(connectPlain({ host, port }), "connect", timeoutMs, signal)
  return settled(connectTls({ ...tls, ...serverName(host), host, port }), "secureConnect", timeoutMs, signal)
}

/** Puts TLS on a connection that is open. Rejects with a plain Error and closes the connection. */
export function upgradeSocket(
  socket: Socket,
  host: string,
  tls: ConnectionOptions,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<TLSSocket> {
  const secure = connectTls({ ...tls, ...serverName(host), host, socket })
  return settled(secure, "secureConnect", timeoutMs, signal)
}

/** An IP address is not a server name (RFC 6066 section 3). */
function serverName(host: string): { servername?: string } {
  return isIP(host) ? {} : { servername: host }
}

function settled<S extends Socket>(socket: S, event: string, timeoutMs: number, signal?: AbortSignal): Promise<S> {
  return new Promise((resolve, reject) => {
    const finish = (error: Error | null) => {
      clearTimeout(timer)
      signal?.removeEventListener("abort", onAbort)
      socket.removeListener(event, onReady).removeListener("error", finish).removeListener("close", onClose)
      if (!error) return resolve(socket)
      // A late error of a socket without a listener would end the process.
      socket.on("error", () => {}).destroy()
      reject(error)
    }
    const onReady = () => finish(null)
    const onClose = () => finish(new Error("connection closed"))
    const onAbort = () => finish(new Error("stopped"))
    const timer = setTimeout(() => finish(new Error(`no connection within ${timeoutMs / 1000} s`)), timeoutMs)
    socket.once(event, onReady).once("error", finish).once("close", onClose)
    signal?.addEventListener("abort", onAbort)
    if (signal?.aborted) onAbort()
  })
}
