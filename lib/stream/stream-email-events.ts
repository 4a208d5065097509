import { z } from "zod"
import { sha256 } from "@/lib/platform/crypto"
import { publicEndpoint, Reply } from "@/lib/platform/http/endpoint"
import { env } from "@/lib/platform/env/env"
import { serviceUnavailable } from "@/lib/platform/http/problems"
import { id } from "@/lib/platform/schema"
import { streamHub } from "@/lib/stream/hub"
import { streamTokenInvalid } from "@/lib/stream/problems"
import { markClosed, redeemToken } from "@/lib/stream/store"

export const streamEmailEvents = publicEndpoint({
  route: "GET /v1/emails/stream",
  operationId: "streamEmailEvents",
  tag: "Emails",
  summary: "Stream email events",
  description: `Server-Sent Events of one project: each event is one line \`data: <JSON>\` and a blank line. Comments keep the connection alive every 15 seconds.

A token opens one stream. A reader that falls 256 events or 1 MiB behind is disconnected; a stream ends after an hour, and within 5 seconds of the issuing key being revoked. To miss no event, open a new stream with \`after\` set to the last \`id\`. A project may have 100 open streams; more get 503.

Pages of any origin may open a stream: it answers \`Access-Control-Allow-Origin: *\`, because the token is the whole credential and no cookie counts. No other operation does, so that an API key never belongs in a browser.`,
  access: { credential: "none", scheme: "streamToken" },
  bucket: null,
  crossOrigin: true,
  noHead: true,
  query: {
    token: z.string().max(200).optional().meta({ description: "The one-time token. Required.", required: true }),
    after: id("evt")
      .optional()
      .describe(
        "Additive: the `id` of the last event you received. If it is no longer stored, the stream resumes at its time.",
      ),
    broadcastId: id("bc").optional().describe("Additive: only events of this broadcast's email."),
  },
  answers: [200, z.string(), "text/event-stream"],
  problems: [streamTokenInvalid],

  async run({ request }, { query }) {
    const redeemed = query.token ? await redeemToken(sha256(query.token)) : null
    if (!redeemed) throw streamTokenInvalid()
    const { ticket, open } = redeemed
    if (open > env().streamsPerProject) {
      await markClosed(ticket)
      throw serviceUnavailable("The project has reached its limit of open streams.", { retryAfterSeconds: 10 })
    }
    return new Reply(200, {
      stream: await streamHub().subscribe(ticket, request.signal, query),
      headers: {
        "Content-Type": "text/event-stream; charset=utf-8",
        "Cache-Control": "no-store, no-transform",
        "X-Accel-Buffering": "no",
        "Referrer-Policy": "no-referrer",
      },
    })
  },
})
