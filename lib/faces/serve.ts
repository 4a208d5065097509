import { missingPath, serve } from "@/lib/api/serve"
import type { Face } from "@/lib/faces/face"
import { env } from "@/lib/platform/env/env"
import { type Answer, problemAnswer } from "@/lib/platform/http/answer"
import type { Asked } from "@/lib/platform/http/asked"
import { pathOf } from "@/lib/platform/http/endpoint"
import { pathTable } from "@/lib/platform/http/path-table"
import { newRequestId } from "@/lib/platform/http/perform"
import type { ProblemDocument } from "@/lib/platform/http/problem"
import { pathNotFound } from "@/lib/platform/http/problems"
import { handlerOf, type Handlers } from "@/lib/platform/http/serve"

/** The route handlers of everything below the path of a face. */
export function serveFace(face: Face): Handlers {
  const paths = [...new Set(face.operations.map(pathOf))]
  const find = pathTable(
    paths.map((path) => {
      const operations = face.operations.filter((operation) => pathOf(operation) === path)
      return [path.replace(/\{(\w+)\}/g, "[$1]"), serve(...operations)] as const
    }),
  )
  const handlers = Object.keys(missingPath).map((name) => {
    const method = name as keyof Handlers
    const answer = async (asked: Asked): Promise<Answer> => {
      if (!env().apiFaces.includes(face.name)) return shaped(face, problemAnswer(switchedOff(), newRequestId().text))
      const handler = (find(new URL(asked.url).pathname) ?? missingPath)[method]
      return shaped(face, await handler.answer(new FaceRequest(asked, face)))
    }
    return [method, handlerOf(answer)]
  })
  return Object.fromEntries(handlers) as Handlers
}

function switchedOff() {
  return pathNotFound("The operator of this installation has switched this API off (API_FACES).")
}

/** A problem in the shape that the service's SDKs read; what succeeded is in that shape already. */
function shaped(face: Face, answer: Answer): Answer {
  if (answer.headers["Content-Type"] !== "application/problem+json" || typeof answer.body !== "string") return answer
  const { status, body, headers = {} } = face.refusalOf(JSON.parse(answer.body) as ProblemDocument)
  const type = { "Content-Type": "application/json" }
  return { status, headers: { ...answer.headers, ...type, ...headers }, body: JSON.stringify(body) }
}

/** The request with its key where our API has it, and its body as JSON. A browser's session is none of these APIs' business. */
class FaceRequest implements Asked {
  readonly readAtMost: Asked["readAtMost"]

  constructor(
    private readonly asked: Asked,
    private readonly face: Face,
  ) {
    const { readBody } = face
    this.readAtMost = readBody
      ? (bytesMax, waitMs) => readBody(asked, bytesMax, waitMs)
      : asked.readAtMost && ((bytesMax, waitMs) => asked.readAtMost?.(bytesMax, waitMs) as Promise<Uint8Array>)
  }

  get url(): string {
    return this.asked.url
  }

  get method(): string {
    return this.asked.method
  }

  get signal(): AbortSignal {
    return this.asked.signal
  }

  get body(): ReadableStream<Uint8Array> | null {
    return this.asked.body
  }

  readonly headers = { get: (name: string): string | null => this.header(name.toLowerCase()) }

  private header(name: string): string | null {
    if (name === "cookie") return null
    if (name === "authorization") {
      const key = this.face.keyOf(this.asked.headers)
      return key === null ? null : `Bearer ${key}`
    }
    if (name === "content-type" && this.face.readBody) return "application/json"
    return this.asked.headers.get(name)
  }
}
