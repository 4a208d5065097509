import * as access from "@/lib/access/problems"
import { endpoints } from "@/lib/api/registry"
import { env } from "@/lib/platform/env/env"
import { type ImpliedProblems, openApiDocument } from "@/lib/platform/http/openapi"
import { webhookEventSchemas } from "@/lib/webhooks/payload"
import { serve } from "@/lib/api/serve"
import { newRequestId } from "@/lib/platform/http/perform"
import { handlerOf, type Handlers } from "@/lib/platform/http/serve"

export const impliedProblems: ImpliedProblems = {
  unauthenticated: [access.credentialsMissing, access.credentialsInvalid],
  forbidden: [access.projectMismatch, access.permissionMissing, access.addressNotAllowed],
  limited: [access.rateLimited],
}

/** What the operations of each tag are about, in the order of the reference. */
const tags: Readonly<Record<string, string>> = {
  "API key usage": "API keys of a project: create, rotate and revoke them, and see what they do.",
  Broadcasts: "One message to many people: prepare, check, send, pause and follow it.",
  "Contact properties": "Fields of your own that contacts can have.",
  Contacts: "The people you write to, with imports, exports, activity and engagement.",
  Emails: "Send emails, read what became of them, and follow their events live.",
  Logs: "Requests of the project and changes that people made.",
  Inbound: "Email that comes in: the addresses whose mail a project gets, and what came.",
  Members: "The people of an organization, their roles and invites.",
  Metrics: "Counts and rates by time, domain, mailbox provider, topic, tag and broadcast, and advice from them.",
  Operator:
    "Mail to the addresses of the service, and where email leaves from and goes to, for who runs the installation.",
  Projects: "Projects, their settings, and the email log of each.",
  Sandbox: "Email that was captured on this machine instead of being delivered.",
  Segments: "Groups of contacts that match conditions, or that you fill yourself.",
  "Sending domains": "Domains to send from: their DNS records, checks, diagnosis and reports.",
  Session: "The person who is signed in, and their account.",
  Suppressions: "Addresses that the project never sends to.",
  Templates: "Subjects and bodies with placeholders, with their versions.",
  Topics: "Kinds of email that people subscribe to and unsubscribe from.",
  Webhooks: "Calls to your server when something happens, with their history and replays.",
}

/** The API of this installation as an OpenAPI 3.1 document. */
export function apiDocument() {
  return apiDocumentAt(env().baseUrl)
}

/** The same for an installation at this address. */
export function apiDocumentAt(serverUrl: string) {
  return openApiDocument(endpoints, {
    title: "Mailroom",
    version: "1.0.0",
    description:
      "Transactional email: send, inspect and stream email, and keep the data around it. Errors are problem documents (RFC 9457) whose `type` is a page that explains the code. Ids are TypeIDs, times ISO 8601 in UTC.\n\nThe extension `x-rate-limit` of an operation says how many requests a key may make in a window of so many seconds; operations of one `policy` share it. `webhooks` has the body of the call for each type of event.",
    serverUrl,
    tags,
    implied: impliedProblems,
    events: webhookEventSchemas,
  })
}

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
