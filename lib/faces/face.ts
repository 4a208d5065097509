import type { FaceName } from "@/lib/platform/env/fields"
import type { Asked } from "@/lib/platform/http/asked"
import type { Endpoint } from "@/lib/platform/http/endpoint"
import type { FieldProblem, ProblemDocument } from "@/lib/platform/http/problem"

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
