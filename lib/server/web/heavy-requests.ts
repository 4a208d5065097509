import {
  createServer,
  request as ask,
  type ClientRequest,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http"
import { areaSettings } from "@/lib/platform/env/env"
import { pathNotFound } from "@/lib/platform/http/problems"
import { answerRefusal } from "@/lib/server/web/edge"
import { answerFailure, continueOnRead, sayContinue } from "@/lib/server/web/web-server"

// Requests that take long are answered by a process of its own (`lib/server/processes/heavy.ts`), so that whoever opens a page or
// sends an email does not wait behind them. The web process passes them on over a socket that nobody else reaches.

/** What the supervisor tells both sides: where the socket is, if there is one, and whether the database is the embedded one. */
export const heavyRequestSettings = areaSettings(({ HEAVY_SOCKET, HEAVY_DATABASE }) => ({
  socketPath: HEAVY_SOCKET,
  databaseIsEmbedded: HEAVY_DATABASE === "embedded",
}))

/** A larger body keeps its process busy for some milliseconds, and for more than a second if it is a hundred times as large. */
const usualBodyBytes = 256 * 1024

/** Whether others would wait for this request: rows without end, or a body that is large, or may be. */
export function isHeavy({ headers }: IncomingMessage, { isExport }: { isExport: boolean }): boolean {
  return (
    isExport || headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > usualBodyBytes
  )
}

/** Answers a request elsewhere, or by `here` where nobody is there. */
export type PassOn = (request: IncomingMessage, response: ServerResponse, here: () => Promise<void>) => Promise<void>

/**
 * Passes requests on to the process that listens on `socketPath`. One that ends in the middle of a request costs its client the
 * connection, as the end of this process would.
 */
export function passOnTo(socketPath: string): PassOn {
  return (request, response, here) =>
    new Promise((resolve, reject) => {
      const { method, url: path } = request
      const asked = ask({ socketPath, method, path, headers: passedOn(request), agent: false })
      let isConnected = false
      asked.once("socket", (socket) =>
        socket.once("connect", () => {
          isConnected = true
          // Who asks whether to send the body at all is told so once somebody reads it.
          if (request.headers.expect === undefined) request.pipe(asked)
          else
            asked.once("continue", () => {
              sayContinue(request)
              request.pipe(asked)
            })
        }),
      )
      asked.once("response", (answer) => write(answer, response, () => leave(request, asked)))
      asked.on("error", () => {
        if (!isConnected && !response.destroyed) return here().then(resolve, reject)
        // What was sent after the answer had been given is not missed.
        if (!response.headersSent) response.destroy()
      })
      const { socket } = request
      const end = () => {
        socket.off("close", end)
        asked.destroy()
        resolve()
      }
      response.once("close", end)
      // A response that waits behind others of its connection is not told that this has closed.
      socket.once("close", end)
    })
}

/** What is about a connection alone (RFC 9110, 7.6.1). */
const ofConnection = /^(connection|keep-alive|proxy-connection|te|trailer|upgrade)$/i

/** As names and values in turn. */
function passedOn({ rawHeaders }: IncomingMessage): string[] {
  const passed = rawHeaders.filter((_, at) => !ofConnection.test(rawHeaders[at - (at % 2)] ?? ""))
  // The other side may answer before it has read everything, and then reads on, so that its answer arrives.
  return [...passed, "Connection", "keep-alive"]
}

function write(answer: IncomingMessage, response: ServerResponse, ended: () => void) {
  response.statusCode = answer.statusCode ?? 500
  const { rawHeaders } = answer
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name = "", value = ""] = rawHeaders.slice(at, at + 2)
    if (!ofConnection.test(name) && !/^(date|transfer-encoding)$/i.test(name)) response.setHeader(name, value)
  }
  answer.on("error", () => response.destroy())
  answer.once("end", ended)
  answer.pipe(response)
}

/** What is left of a body that nobody wants is discarded as it arrives. */
function leave(request: IncomingMessage, asked: ClientRequest) {
  request.unpipe(asked)
  request.resume()
}

// The other side

type Api = (request: IncomingMessage, response: ServerResponse) => Promise<void> | null

/** A server for what is passed on. The web process has seen to limits of time, headers and the client's address. */
export function createHeavyServer(api: Api): Server {
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    const answering = api(request, response)
    if (!answering) return answerRefusal(request, response, pathNotFound())
    answering.catch((error: unknown) => answerFailure(request, response, error, answerRefusal))
  }
  const server = createServer({ requestTimeout: 0, maxHeaderSize: 32 * 1024 }, listener)
  server.on("checkContinue", (request, response) => {
    continueOnRead(request, response)
    listener(request, response)
  })
  return server.on("connection", (socket) => socket.on("error", () => undefined))
}
