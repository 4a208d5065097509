import { z } from "zod"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { requestsBefore } from "@/lib/api-keys/request-log-store"
import { RequestPage } from "@/lib/api-keys/request-schema"
import { cursorMissing, readCursor, writeCursor } from "@/lib/platform/http/cursors"
import { endpoint } from "@/lib/platform/http/endpoint"
import { requestInvalid } from "@/lib/platform/http/problems"
import { cursorQuery } from "@/lib/platform/http/paging"
import { decodeId } from "@/lib/platform/ids"
import { timestamp } from "@/lib/platform/schema"

export const listRequests = endpoint({
  route: "GET /v1/projects/{projectId}/requests",
  operationId: "listRequests",
  tag: "Logs",
  summary: "List requests of project",
  description:
    "Requests made with any key of the project, newest first; they appear about a second after the request and are kept for 90 days. A page reads at most 20,000 records: with a filter that few requests match, it can be short or empty although `hasNextPage` is true, and the next page continues after these records. There are no cursors to earlier pages.",
  access: allow("usage:read"),
  bucket: null,
  query: {
    ...cursorQuery(),
    key: z.string().max(64).optional().describe("Id of a key."),
    method: z.enum(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]).optional(),
    route: z.string().max(200).optional().describe("Part of the route's template, such as `/domains`."),
    status: z
      .string()
      .regex(/^[1-5](?:xx|[0-9]{2})$/, "Must be a status such as 404, or 2xx, 4xx or 5xx.")
      .optional()
      .describe("A status such as `404`, or a class such as `4xx`."),
    from: timestamp.optional().describe("Start of the window."),
    to: timestamp.optional().describe("End of the window."),
  },
  answers: [200, RequestPage],
  problems: [requestInvalid, projectMissing, cursorMissing],
  additive: true,

  async run(scope, { query: { size, after, key, ...filter } }) {
    const keyId = key === undefined ? undefined : decodeId("key", key)
    if (keyId === null) {
      const detail = "Must be the id of a key."
      throw requestInvalid(detail, { errors: [{ pointer: "query/key", detail }] })
    }
    const collection = `${scope.project.id}|requests`
    const position = after === undefined ? null : readCursor(collection, after)
    const { rows, next } = await requestsBefore(scope, { ...filter, key: keyId }, position?.key ?? null, size)
    const nextCursor = next && writeCursor(collection, { key: next, direction: "next" })
    return {
      cursor: {
        nextCursor,
        previousCursor: null,
        hasNextPage: nextCursor !== null,
        hasPreviousPage: position !== null,
      },
      data: rows,
    }
  },
})
