import type { Json } from "@/lib/platform/http/json-schema"

export type Answered = { ok: boolean; status: number; value: unknown }

export type Caller = (call: { method: string; path: string; body?: Json | undefined }) => Promise<Answered>

const timeoutMs = 30_000
/** Of an answer that is read at all. */
const answerBytesMax = 4 * 1024 * 1024

/** Calls the API of an installation with a key. @throws Error with a sentence if it cannot be reached */
export function createCaller(baseUrl: string, apiKey: string): Caller {
  return async ({ method, path, body }) => {
    let response: Response
    try {
      response = await fetch(new URL(path, baseUrl), {
        method,
        headers: {
          Authorization: `Bearer ${apiKey}`,
          Accept: "application/json",
          ...(body ? { "Content-Type": "application/json" } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
        signal: AbortSignal.timeout(timeoutMs),
      })
    } catch (error) {
      throw new Error(`Mailroom at ${baseUrl} does not answer.`, { cause: error })
    }
    if (Number(response.headers.get("content-length") ?? 0) > answerBytesMax)
      throw new Error("The answer is too long. Ask for fewer items.")
    const text = await response.text()
    return { ok: response.ok, status: response.status, value: text === "" ? null : JSON.parse(text) }
  }
}
