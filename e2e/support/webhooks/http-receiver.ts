import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { Webhook } from "standardwebhooks"

export type Received = { id: string; headers: Record<string, string>; body: string; at: number }
export type Reaction = (received: Received, response: ServerResponse) => void

export type Receiver = { url: string; received: Received[]; open: () => number; openMax: () => number; close(): void }

/** An HTTP server that keeps what it gets. */
export async function newReceiver(react: Reaction = (_, response) => void response.end("ok")): Promise<Receiver> {
  const received: Received[] = []
  let [open, openMax] = [0, 0]
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    openMax = Math.max(openMax, (open += 1))
    response.on("close", () => (open -= 1))
    const chunks: Buffer[] = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const headers = request.headers as Record<string, string>
      const one = { id: headers["webhook-id"] ?? "", headers, body: Buffer.concat(chunks).toString(), at: Date.now() }
      received.push(one)
      react(one, response)
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  return { url: `http://127.0.0.1:${port}/hook`, received, open: () => open, openMax: () => openMax, close }
}

/** What the library of Standard Webhooks says of a request: its payload. Throws where the signature is wrong. */
export function verified(secret: string, { body, headers }: Pick<Received, "body" | "headers">) {
  return new Webhook(secret).verify(body, headers) as { id: string; type: string; data: Record<string, string> }
}
