import { allow } from "@/lib/access/permissions"
import { sha256 } from "@/lib/platform/crypto"
import { endpoint } from "@/lib/platform/http/endpoint"
import { StreamToken } from "@/lib/stream/schema"
import * as streams from "@/lib/stream/store"

export const issueStreamToken = endpoint({
  route: "POST /v1/emails/{projectId}/stream/token",
  operationId: "issueStreamToken",
  tag: "Emails",
  summary: "Issue a stream token",
  description:
    "A token opens one event stream and expires after 60 seconds. A project has at most 30 valid tokens; beyond that, the oldest is deleted. Signed-in users need only `emails:read`.",
  access: { ...allow("emails:send"), session: ["emails:read"] },
  bucket: null,
  answers: [200, StreamToken],
  problems: [],

  async run(scope, _input, { random }) {
    const token = random.bytes(32).toString("base64url")
    return { token, expiresAt: await streams.addToken(scope, sha256(token)) }
  },
})
