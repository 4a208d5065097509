import { apiDocument } from "@/lib/api/openapi"
import { serve } from "@/lib/api/serve"
import { newRequestId } from "@/lib/platform/http/perform"
import { handlerOf, type Handlers } from "@/lib/platform/http/serve"

let text: string | undefined

/** The handlers of `/v1/openapi.json`: the document without a credential, and the usual errors for other methods. */
export function serveDocument(): Handlers {
  const document = handlerOf(async () => {
    text ??= JSON.stringify(apiDocument())
    return {
      status: 200,
      headers: {
        "Content-Type": "application/json; charset=utf-8",
        "Access-Control-Allow-Origin": "*",
        "Cache-Control": "no-cache",
        "X-Request-Id": newRequestId().text,
        "X-Content-Type-Options": "nosniff",
      },
      body: text,
    }
  })
  return { ...serve(), GET: document, HEAD: document }
}
