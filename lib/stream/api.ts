import { z } from "zod"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { sha256 } from "@/lib/platform/crypto"
import { databaseTime } from "@/lib/platform/database/clock-sql"
import { env } from "@/lib/platform/env/env"
import { formatNumber } from "@/lib/platform/format"
import { endpoint, publicEndpoint, Reply } from "@/lib/platform/http/endpoint"
import { clamped } from "@/lib/platform/http/paging"
import { serviceUnavailable } from "@/lib/platform/http/problems"
import { createShare } from "@/lib/platform/jobs/turns"
import { id } from "@/lib/platform/schema"
import * as streams from "@/lib/stream/data"
import {
  countedEventsMax,
  countEventsSince,
  findEventsAfter,
  findRecentEvents,
  markClosed,
  redeemToken,
} from "@/lib/stream/data"
import { streamHub } from "@/lib/stream/hub"
import { hourBefore, streamPermission } from "@/lib/stream/rules"
import { RecentEventCounts, RecentEvents, StreamToken, streamTokenInvalid } from "@/lib/stream/schema"

export const issueStreamToken = endpoint({
  route: "POST /v1/emails/{projectId}/stream/token",
  operationId: "issueStreamToken",
  tag: "Emails",
  summary: "Issue a stream token",
  description:
    "A token opens one event stream and expires after 60 seconds. A project has at most 30 valid tokens; beyond that, the oldest is deleted. Signed-in users need only `emails:read`.",
  access: { ...allow(streamPermission), session: ["emails:read"] },
  bucket: null,
  answers: [200, StreamToken],
  problems: [],

  async run(scope, _input, { random }) {
    const { cell } = env()
    // A browser names nothing else that tells a router where the stream is.
    const token = `${cell === undefined ? "" : `${cell}.`}${random.bytes(32).toString("base64url")}`
    return { token, expiresAt: await streams.addToken(scope, sha256(token)) }
  },
})

export const streamEmailEvents = publicEndpoint({
  route: "GET /v1/emails/stream",
  operationId: "streamEmailEvents",
  tag: "Emails",
  summary: "Stream email events",
  description: `Server-Sent Events of one project: each event is one line \`data: <JSON>\` and a blank line. Comments keep the connection alive every 15 seconds.

A token opens one stream. A reader that falls 256 events or 1 MiB behind is disconnected; a stream ends after an hour, and within 5 seconds of the issuing key being revoked, losing \`${streamPermission}\` or being restricted to other addresses. The token itself may be used from any address. To miss no event, open a new stream with \`after\` set to the last \`id\`. A project may have 100 open streams; more get 503.

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

const recentMax = 50

export const listRecentEvents = endpoint({
  route: "GET /v1/projects/{projectId}/events",
  operationId: "listRecentEvents",
  tag: "Emails",
  summary: "List recent events",
  description: `The newest ${recentMax} events that the stream would have carried, oldest first. A stream opened with \`after\` set to the \`id\` of the last one goes on from there without a gap. With \`after\` it lists the first ones after that event instead.`,
  access: allow("emails:read"),
  bucket: null,
  query: {
    after: id("evt")
      .optional()
      .describe("The `id` of an event. If it is no longer stored, events since its time are listed."),
    size: clamped({ min: 1, max: recentMax, fallback: recentMax }).describe("At most so many."),
  },
  answers: [200, RecentEvents],
  problems: [projectMissing],
  additive: true,

  async run(scope, { query: { after, size } }) {
    const data = after === undefined ? findRecentEvents(scope, size) : findEventsAfter(scope, after, size)
    return { data: await data }
  },
})

/** A count reads up to 20,000 events, and there is no bucket here. */
const counting = createShare({
  waitMs: 10_000,
  busy: "Too many counts of this project's events are running. Try again when one has ended.",
})

export const countRecentEvents = endpoint({
  route: "GET /v1/projects/{projectId}/events/counts",
  operationId: "countRecentEvents",
  tag: "Emails",
  summary: "Count recent events",
  description: `How many events of each type the stream has carried in each two minutes of the last hour. At most the newest ${formatNumber(countedEventsMax)} events of the project are read; if the hour has more, \`since\` is the time from which all of them are counted.`,
  access: allow("emails:read"),
  bucket: null,
  answers: [200, RecentEventCounts],
  problems: [projectMissing],
  additive: true,

  async run(scope) {
    return counting(scope.project.id, async () => {
      const until = await databaseTime()
      return { until, ...(await countEventsSince(scope, hourBefore(until))) }
    })
  },
})

export const streamOperations = [issueStreamToken, streamEmailEvents, listRecentEvents, countRecentEvents] as const
