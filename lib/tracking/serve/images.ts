import type { ServerResponse } from "node:http"

/** A transparent GIF of one pixel, in the parts around which a comment may be inserted. */
const start = Buffer.from("47494638396101000100800000000000ffffff", "hex")
const rest = Buffer.from("21f90401000000002c00000000010001000002024401003b", "hex")
const image = Buffer.concat([start, rest])

const headers = {
  "Content-Type": "image/gif",
  "Cache-Control": "no-store, no-cache, must-revalidate, private",
  "Cross-Origin-Resource-Policy": "cross-origin",
  "Content-Security-Policy": "default-src 'none'",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
  "X-Robots-Tag": "noindex",
}

/** The same answer for every token, whether it is known or not. */
export function answerImage(response: ServerResponse, head: boolean): void {
  response.writeHead(200, { ...headers, "Content-Length": String(image.length) })
  response.end(head ? undefined : image)
}

const tickMs = 1_000
const heldMax = 500

/** An email is hardly read for longer at one time. */
export const holdMsMax = 60_000

let held = 0

/**
 * Sends the image so slowly that the client closes it together with the email: a comment of the GIF grows by two bytes a second.
 * `done` gets the milliseconds; null if too many are held already, and the image is answered at once.
 */
export function holdImage(response: ServerResponse, done: (ms: number | null) => void, holdMs = holdMsMax): void {
  if (held >= heldMax) {
    done(null)
    return answerImage(response, false)
  }
  held += 1
  const startedAt = performance.now()
  // Not by writeHead: a server that stops looks for responses that are held open by their type.
  response.setHeaders(new Map(Object.entries(headers)))
  response.write(Buffer.concat([start, Buffer.from("21fe", "hex")]))
  const timer = setInterval(() => {
    if (performance.now() - startedAt < holdMs) return void response.write(Buffer.from("0120", "hex"))
    response.end(Buffer.concat([Buffer.from("00", "hex"), rest]))
  }, tickMs)
  response.once("close", () => {
    clearInterval(timer)
    held -= 1
    done(Math.round(performance.now() - startedAt))
  })
}
