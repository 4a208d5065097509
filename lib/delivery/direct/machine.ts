import { createSocket } from "node:dgram"
import { connect, isIPv6 } from "node:net"
import { networkInterfaces } from "node:os"
import { createReach } from "@/lib/platform/networks"

// What this machine has, and what it reaches.

const usualConnectMs = 10_000

/** Asked for each mail: the list is read again after so long. */
const ownForMs = 1_000
let own = { addresses: new Set<string>(), hasIPv6: false, readAt: -Infinity }
const reach = createReach([])

function ownNow(): typeof own {
  if (performance.now() - own.readAt <= ownForMs) return own
  const all = Object.values(networkInterfaces()).flatMap((each) => each?.map(({ address }) => address) ?? [])
  const isOnIPv6 = all.some((address) => isIPv6(address) && reach(address) === "public")
  own = { addresses: new Set(all), hasIPv6: isOnIPv6, readAt: performance.now() }
  return own
}

export function isOwnAddress(address: string): boolean {
  return ownNow().addresses.has(address)
}

/** Whether this machine has an address that IPv6 servers could reply to. */
export function hasIPv6(): boolean {
  return ownNow().hasIPv6
}

/** Whether a packet would leave this machine; none is sent. */
export function hasRouteTo(address: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket(isIPv6(address) ? "udp6" : "udp4")
    const finish = (found: boolean) => {
      socket.removeAllListeners().on("error", () => {})
      socket.close()
      resolve(found)
    }
    socket.on("error", () => finish(false)).on("connect", () => finish(true))
    socket.connect(port, address)
  })
}

/** Whether this machine has the address. */
export function hasAddress(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket(isIPv6(address) ? "udp6" : "udp4")
    socket.on("error", () => resolve(false))
    socket.bind(0, address, () => socket.close(() => resolve(true)))
  })
}

/** Whether a server takes a connection, which is closed at once. */
export function connects(host: string, port: number, timeoutMs = usualConnectMs): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port })
    const finish = (reached: boolean) => {
      clearTimeout(timer)
      socket.destroy()
      resolve(reached)
    }
    const timer = setTimeout(() => finish(false), timeoutMs)
    socket.on("error", () => finish(false)).on("connect", () => finish(true))
  })
}
