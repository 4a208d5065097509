import type { ServerResponse } from "node:http"
import { emptyPolicy, pageHeaders } from "@/lib/platform/http/page-headers"

/**
 * Adds the headers of a page to an answer at the moment it is written, those that it says itself excepted: files, errors and
 * 404 come from Next or from us without passing `proxy.ts`. An answer with a policy of its own keeps all of its own.
 */
export function addPageHeaders(response: ServerResponse) {
  const writeHead = response.writeHead.bind(response) as (...given: unknown[]) => ServerResponse
  response.writeHead = (...given: unknown[]) => {
    const own = new Set([...response.getHeaderNames(), ...namesOf(given.at(-1))])
    if (!own.has("content-security-policy") && !response.headersSent) {
      const policy = { "Content-Security-Policy": emptyPolicy }
      for (const [name, value] of Object.entries({ ...pageHeaders(), ...policy })) {
        if (!own.has(name.toLowerCase())) response.setHeader(name, value)
      }
    }
    return writeHead(...given)
  }
}

function namesOf(headers: unknown): string[] {
  return typeof headers === "object" && headers !== null ? Object.keys(headers).map((name) => name.toLowerCase()) : []
}
