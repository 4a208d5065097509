import {
  addressOf,
  type ApiRoute,
  type CallAnswer,
  type CallInput,
  noteSignedOut,
  refused,
  unreachable,
} from "@/components/data/call"
import type { ProblemDocument } from "@/lib/platform/http/problem"

type Upload = {
  /** A form with the file, or the file itself with its type. */
  body: FormData | Blob
  /** Share of the body that has left, 0 to 1. */
  onProgress(share: number): void
  signal?: AbortSignal
}

/**
 * Sends a file to an operation that takes one. `fetch` cannot tell how much has left; this can.
 * @throws ApiProblem when the API refuses, TypeError when it cannot be reached
 */
export function upload<R extends ApiRoute>(
  route: R,
  input: CallInput<R>,
  { body, onProgress, signal }: Upload,
): Promise<CallAnswer<R>> {
  const { method, address } = addressOf(route, input)
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(method, address)
    request.responseType = "json"
    request.setRequestHeader("Accept", "application/json")
    if (body instanceof Blob && body.type) request.setRequestHeader("Content-Type", body.type)
    request.upload.onprogress = ({ loaded, total }) => onProgress(total ? loaded / total : 0)
    request.onload = () => {
      const answer: unknown = request.response
      if (request.status >= 400) return reject(answer ? refused(answer as ProblemDocument) : unreachable())
      noteSignedOut(false)
      resolve(answer as CallAnswer<R>)
    }
    request.onerror = () => reject(unreachable())
    request.onabort = () => reject(new DOMException("The upload was cancelled.", "AbortError"))
    signal?.addEventListener("abort", () => request.abort(), { once: true })
    request.send(body)
  })
}
