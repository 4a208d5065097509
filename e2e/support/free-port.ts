import { createSocket } from "node:dgram"
import { once } from "node:events"
import { createServer, type AddressInfo } from "node:net"
import type { Ports } from "./product"

/** Ports that nothing listens on at this moment, for a product beside the one of the suite. */
export async function freePorts(): Promise<Ports> {
  return { web: await freePort(), smtp: await freePort(), metrics: await freePort(), dns: await freeUdpPort() }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

async function freeUdpPort(): Promise<number> {
  const socket = createSocket("udp4").bind(0, "127.0.0.1")
  await once(socket, "listening")
  const { port } = socket.address()
  await new Promise<void>((resolve) => socket.close(() => resolve()))
  return port
}
