import type { IncomingMessage } from "node:http"
import { bodyTooLarge, requestTimeout } from "@/lib/platform/http/problems"

// Bodies from Node's own events. What nobody wants any more is discarded as it arrives, so that the answer can be read and the
// connection used again; the web server limits for how long.

/** The whole body. @throws requestTooLarge beyond `bytesMax`, requestTimeout after `waitMs`, Error when the client disconnects */
export function readIncoming(incoming: IncomingMessage, bytesMax: number, waitMs: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const body = collect(Number(incoming.headers["content-length"] ?? 0))
    const refuse = (error: Error) => {
      end()
      reject(error)
    }
    const timer = setTimeout(() => refuse(requestTimeout()), waitMs)
    const onData = (chunk: Buffer) => {
      if (body.length() + chunk.length > bytesMax) return refuse(bodyTooLarge(bytesMax))
      body.add(chunk)
    }
    const end = listen(incoming, {
      onData,
      onEnd() {
        end()
        resolve(body.bytes())
      },
      onLost: refuse,
      onStop: () => clearTimeout(timer),
    })
  })
}

/** Chunks in one piece: copied as they come where their length is known, since megabytes at once keep everybody else waiting. */
function collect(announced: number) {
  const chunks: Buffer[] = []
  let whole: Buffer | undefined
  let length = 0
  return {
    length: () => length,
    add(chunk: Buffer) {
      if (chunk.length < announced) {
        whole ??= Buffer.allocUnsafeSlow(announced)
        chunk.copy(whole, length)
      } else chunks.push(chunk)
      length += chunk.length
    },
    bytes: () => whole?.subarray(0, length) ?? (chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)),
  }
}

/** The body as a stream that is read no faster than it is taken. It fails when the client disconnects. */
export function streamOf(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  let end = () => {}
  return new ReadableStream<Uint8Array>({
    start(controller) {
      end = listen(incoming, {
        onData(chunk) {
          controller.enqueue(chunk)
          if ((controller.desiredSize ?? 0) <= 0) incoming.pause()
        },
        onEnd() {
          end()
          controller.close()
        },
        onLost(error) {
          end()
          controller.error(error)
        },
      })
    },
    pull: () => void incoming.resume(),
    cancel: () => end(),
  })
}

type Listeners = { onData(chunk: Buffer): void; onEnd(): void; onLost(error: Error): void; onStop?(): void }

/** Calls the listeners until the returned function ends it. A request may be lost before anybody listens. */
function listen(incoming: IncomingMessage, { onData, onEnd, onLost, onStop }: Listeners): () => void {
  const onClose = () => onLost(new Error("The client disconnected."))
  incoming.on("data", onData).once("end", onEnd).once("error", onLost).once("close", onClose)
  if (incoming.destroyed) queueMicrotask(onClose)
  return () => {
    onStop?.()
    incoming.off("data", onData).off("end", onEnd).off("error", onLost).off("close", onClose).resume()
  }
}
