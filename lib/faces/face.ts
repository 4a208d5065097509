import type { FaceName } from "@/lib/platform/env/fields"
import { type Asked, type Endpoint, pathOf } from "@/lib/platform/http/endpoint"
import type { FieldProblem, ProblemDocument } from "@/lib/platform/http/problem"
import { missingPath, serve } from "@/lib/api/serve"
import { env } from "@/lib/platform/env/env"
import { type Answer, problemAnswer } from "@/lib/platform/http/answer"
import { pathTable } from "@/lib/platform/http/paths"
import { newRequestId } from "@/lib/platform/http/perform"
import { pathNotFound } from "@/lib/platform/http/problems"
import { handlerOf, type Handlers } from "@/lib/platform/http/serve"

/**
 * The API of another service, for programs that use its SDK: its paths and fields, whose operations call ours. What it does not say
 * in a request is as in ours.
 */
export type Face = {
  name: FaceName
  operations: readonly Endpoint[]
  /** The API key, from where this service's SDKs send it. */
  keyOf(headers: Asked["headers"]): string | null
  /** A problem as this service would say it. */
  refusalOf(problem: ProblemDocument): FaceRefusal
  /** The body as JSON, where the service takes another form of it. @throws as `Asked.readAtMost` */
  readBody?(asked: Asked, bytesMax: number, waitMs: number): Promise<Uint8Array>
}

export type FaceRefusal = { status: number; body: object; headers?: Record<string, string> }

/** The problem in one text: every fault with its pointer, or else the detail. */
export function messageOf({ detail = "", errors }: ProblemDocument): string {
  return errors ? errors.map(faultText).join(" ") : detail
}

export function faultText({ pointer, detail }: FieldProblem): string {
  return pointer === "" ? detail : `${pointer}: ${detail}`
}

/** The key of `Authorization: Bearer`. */
export function bearerKey(headers: Asked["headers"]): string | null {
  return /^bearer +(\S+)$/i.exec(headers.get("authorization") ?? "")?.[1] ?? null
}

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
