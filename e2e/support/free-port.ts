import { randomInt } from "node:crypto"
import { createSocket } from "node:dgram"
import { once } from "node:events"
import { createServer } from "node:net"
import { setTimeout as wait } from "node:timers/promises"
import type { Ports } from "@/e2e/support/product"

const triesMax = 100
const given = new Set<number>()

/** Ports that nothing listens on, for a product beside the one of the suite. */
export async function freePorts(): Promise<Ports> {
  return {
    web: await freePort(),
    smtp: await freePort(),
    inbound: await freePort(),
    submission: await freePort(),
    submissionTls: await freePort(),
    metrics: await freePort(),
    dns: await freePort(),
  }
}

/** The settings of a process `mail`, whose port for returned mail is this one. */
export async function portsOfMail(inbound: number): Promise<Record<string, string>> {
  const [submission, submissionTls] = [await freePort(), await freePort()]
  return {
    INBOUND_PORT: String(inbound),
    SUBMISSION_PORT: String(submission),
    SUBMISSION_TLS_PORT: String(submissionTls),
  }
}

/** A port, never given before, that is free for TCP and UDP, below those that a system gives to outgoing connections: none takes it meanwhile. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < triesMax; tries++) {
    const port = randomInt(20_000, 32_000)
    if (given.has(port)) continue
    given.add(port)
    if ((await takesTcp(port)) && (await takesUdp(port))) return port
  }
  throw new Error(`None of ${triesMax} ports was free.`)
}

/** Listens on a port as soon as whoever has it lets go of it; gives it up when called. */
export async function takePort(port: number): Promise<() => void> {
  for (;;) {
    const server = createServer((socket) => socket.destroy()).listen(port, "127.0.0.1")
    try {
      await once(server, "listening")
      return () => void server.close()
    } catch {
      await wait(5)
    }
  }
}

async function takesTcp(port: number): Promise<boolean> {
  const server = createServer().listen(port, "127.0.0.1")
  const taken = await once(server, "listening").then(
    () => false,
    () => true,
  )
  if (!taken) await new Promise((closed) => server.close(closed))
  return !taken
}

async function takesUdp(port: number): Promise<boolean> {
  const socket = createSocket("udp4").bind(port, "127.0.0.1")
  const taken = await once(socket, "listening").then(
    () => false,
    () => true,
  )
  await new Promise<void>((closed) => socket.close(() => closed()))
  return !taken
}
