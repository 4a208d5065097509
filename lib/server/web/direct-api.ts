import type { IncomingMessage, ServerResponse } from "node:http"
import type { Asked } from "@/lib/platform/http/asked"
import { readIncoming, streamOf } from "@/lib/platform/http/incoming"
import { pathTable } from "@/lib/platform/http/path-table"
import type { Handlers } from "@/lib/platform/http/serve"
import { writeAnswer } from "@/lib/server/web/write-answer"

/** Templates of the API's route folders with what their files export. */
export type Routes = readonly (readonly [template: string, handlers: Handlers])[]

/**
 * Serves the API by calling its route handlers before Next, whose routing costs twice what they do. Returns null for a path
 * that none of them serves, and rejects where an answer could not be written.
 */
export function createDirectApi(routes: Routes) {
  const find = pathTable(routes)
  return (request: IncomingMessage, response: ServerResponse): Promise<void> | null => {
    const [path = ""] = (request.url ?? "").split("?", 1)
    const handler = find(path)?.[request.method as keyof Handlers]
    return handler
      ? handler.answer(new DirectRequest(request, response)).then((answer) => writeAnswer(request, response, answer))
      : null
  }
}

/** Node's request as an operation reads it. Signal and stream are made only where somebody asks for them. */
class DirectRequest implements Asked {
  private made: AbortController | undefined
  private stream: ReadableStream<Uint8Array> | undefined

  constructor(
    private readonly incoming: IncomingMessage,
    private readonly response: ServerResponse,
  ) {}

  get url(): string {
    return `http://localhost${this.incoming.url}`
  }

  get method(): string {
    return this.incoming.method ?? "GET"
  }

  readonly headers = {
    get: (name: string): string | null => {
      const value = this.incoming.headers[name.toLowerCase()]
      return (Array.isArray(value) ? value.join(", ") : value) ?? null
    },
  }

  /** Aborted when the client disconnects before the answer has been sent. */
  get signal(): AbortSignal {
    return (this.made ??= this.leaving()).signal
  }

  get body(): ReadableStream<Uint8Array> {
    return (this.stream ??= streamOf(this.incoming))
  }

  readAtMost(bytesMax: number, waitMs: number): Promise<Uint8Array> {
    return readIncoming(this.incoming, bytesMax, waitMs)
  }

  private leaving(): AbortController {
    const { incoming, response } = this
    const { socket } = incoming
    const controller = new AbortController()
    const onClose = () => {
      socket.off("close", onClose)
      if (!response.writableFinished) controller.abort()
    }
    if (response.destroyed || socket.destroyed) onClose()
    response.once("close", onClose)
    // A response that waits behind others of its connection is not told that this has closed.
    socket.once("close", onClose)
    return controller
  }
}
