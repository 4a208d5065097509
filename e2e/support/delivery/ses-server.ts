import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo, Socket } from "node:net"
import { json } from "node:stream/consumers"

/** What one call of SendEmail asked for. */
export type SesSend = {
  to: string[]
  message: string
  tags: Record<string, string>
  configurationSet: string | undefined
}

/** How the server answers a call of SendEmail; it takes the mail if this says nothing. */
export type SesAnswering = (send: SesSend, nth: number) => SesReply | undefined
export type SesReply =
  | { status: number; type: string; message?: string }
  /** Takes the request and never answers. */
  | "silence"
  /** Takes the request and ends the connection. */
  | "reset"

export type SesServer = Awaited<ReturnType<typeof startSesServer>>

/** Speaks as much of the API of SES (version 2) as the product uses, over real HTTP; refuses what is not signed (SigV4). */
export async function startSesServer() {
  const sent: SesSend[] = []
  const unsuppressed: string[] = []
  const state = {
    answering: (() => undefined) as SesAnswering,
    account: { ProductionAccessEnabled: true, SendingEnabled: true, EnforcementStatus: "HEALTHY" } as Record<
      string,
      unknown
    >,
    quota: { MaxSendRate: 1_000, Max24HourSend: 50_000, SentLast24Hours: 10 },
    configurationSets: new Map<string, { SendingEnabled: boolean }>([["main", { SendingEnabled: true }]]),
    /** By domain; those that are not here are as if they had been verified long ago, unless `knowsOnly`. */
    identities: new Map<string, SesIdentityState>(),
    knowsOnly: false,
    /** The key may not change whether bounces are mailed to senders. */
    forbidsFeedback: false,
    /** Status of the answers about suppressed addresses, the last for all further ones. */
    suppression: [200],
    asked: 0,
  }
  const sockets = new Set<Socket>()

  const server = createServer((request, response) => {
    void answer(request, response).catch((error: unknown) => refuse(response, 500, "InternalFailure", String(error)))
  })
  server.on("connection", (socket) => {
    sockets.add(socket)
    socket.on("error", () => {}).on("close", () => sockets.delete(socket))
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, url = "", headers } = request
    if (!/^AWS4-HMAC-SHA256 Credential=[^/]+\/\d{8}\/[^/]+\/ses\/aws4_request, /.test(headers.authorization ?? ""))
      return refuse(response, 403, "MissingAuthenticationTokenException", "The request is not signed.")
    if (/Credential=WRONG\//.test(headers.authorization ?? ""))
      return refuse(
        response,
        403,
        "UnrecognizedClientException",
        "The security token included in the request is invalid.",
      )
    const [, name = ""] =
      /^\/v2\/email\/(?:suppression\/addresses|configuration-sets|identities)\/([^/?]+)$/.exec(url) ?? []
    const named = decodeURIComponent(name)
    if (method === "POST" && url === "/v2/email/outbound-emails") return takeMail(request, response)
    if (method === "GET" && url === "/v2/email/account")
      return reply(response, { ...state.account, SendQuota: state.quota })
    if (method === "GET" && url.startsWith("/v2/email/configuration-sets/")) {
      const set = state.configurationSets.get(named)
      return set ? reply(response, { SendingOptions: set }) : refuse(response, 404, "NotFoundException", "No such set.")
    }
    if (method === "GET" && url.startsWith("/v2/email/identities/")) {
      const identity = state.identities.get(named) ?? (state.knowsOnly ? undefined : longVerified)
      if (!identity) return refuse(response, 404, "NotFoundException", "No such identity.")
      const { isVerified, dkim, selector, mailFrom, forwardsFeedback = true } = identity
      return reply(response, {
        VerifiedForSendingStatus: isVerified,
        FeedbackForwardingStatus: forwardsFeedback,
        DkimAttributes: { Status: dkim, Tokens: [selector], SigningAttributesOrigin: "EXTERNAL" },
        MailFromAttributes: { MailFromDomain: mailFrom },
      })
    }
    if (method === "POST" && url === "/v2/email/identities") {
      const { EmailIdentity, DkimSigningAttributes: given } = (await json(request)) as IdentityBody
      state.identities.set(EmailIdentity, { ...pendingIdentity, ...keyOf(given) })
      return reply(response, { VerifiedForSendingStatus: false })
    }
    const [, changed = "", what = ""] =
      /^\/v[12]\/email\/identities\/([^/]+)\/(dkim\/signing|mail-from|feedback)$/.exec(url) ?? []
    if (method === "PUT" && what !== "") {
      const domain = decodeURIComponent(changed)
      const body = (await json(request)) as IdentityChange
      const before = state.identities.get(domain) ?? longVerified
      if (what === "feedback" && state.forbidsFeedback)
        return refuse(response, 403, "AccessDeniedException", "Not authorized: ses:PutEmailIdentityFeedbackAttributes.")
      const changes = {
        "mail-from": { mailFrom: body.MailFromDomain ?? "" },
        feedback: { forwardsFeedback: body.EmailForwardingEnabled ?? false },
        "dkim/signing": { ...keyOf(body.SigningAttributes), dkim: "PENDING" },
      }
      const change = changes[what as keyof typeof changes]
      state.identities.set(domain, { ...before, ...change })
      return reply(response, {})
    }
    if (method === "DELETE" && url.startsWith("/v2/email/suppression/addresses/")) {
      const status = (state.suppression.length > 1 ? state.suppression.shift() : state.suppression[0]) ?? 200
      if (status !== 200) return refuse(response, status, status === 404 ? "NotFoundException" : "InternalFailure", "")
      unsuppressed.push(named)
      return reply(response, {})
    }
    refuse(response, 404, "UnknownOperationException", `${method} ${url}`)
  }

  async function takeMail(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = (await json(request)) as {
      Destination?: { ToAddresses?: string[] }
      Content?: { Raw?: { Data?: string } }
      EmailTags?: { Name: string; Value: string }[]
      ConfigurationSetName?: string
    }
    const send: SesSend = {
      to: body.Destination?.ToAddresses ?? [],
      message: Buffer.from(body.Content?.Raw?.Data ?? "", "base64").toString("latin1"),
      tags: Object.fromEntries((body.EmailTags ?? []).map(({ Name, Value }) => [Name, Value])),
      configurationSet: body.ConfigurationSetName,
    }
    state.asked += 1
    const answered = state.answering(send, state.asked)
    if (answered === "silence") return
    if (answered === "reset") return void request.socket.resetAndDestroy()
    if (answered) return refuse(response, answered.status, answered.type, answered.message ?? "")
    sent.push(send)
    reply(response, { MessageId: `0100-${state.asked}` })
  }

  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  const { port } = server.address() as AddressInfo
  const endpoint = `http://127.0.0.1:${port}`
  return {
    ...{ sent, unsuppressed, state, endpoint, port },
    /** SMTP_URL of a region that sends by this server. */
    url: (parameters = "") => `ses://KEY:SECRET@eu-west-1?endpoint=${endpoint}${parameters && `&${parameters}`}`,
    connections: () => sockets.size,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((done) => server.close(done))
    },
  }
}

export type SesIdentityState = {
  isVerified: boolean
  dkim: string
  selector: string
  privateKey: string
  mailFrom: string
  /** As of a new identity where it is not given. */
  forwardsFeedback?: boolean
}
type IdentityChange = { MailFromDomain?: string; SigningAttributes?: IdentityKey; EmailForwardingEnabled?: boolean }
type IdentityKey = { DomainSigningSelector?: string; DomainSigningPrivateKey?: string }
type IdentityBody = { EmailIdentity: string; DkimSigningAttributes?: IdentityKey }

const longVerified: SesIdentityState = {
  ...{ isVerified: true, dkim: "SUCCESS", selector: "other", privateKey: "", mailFrom: "bounce.example" },
}
const pendingIdentity: SesIdentityState = { ...longVerified, isVerified: false, dkim: "PENDING", mailFrom: "" }

function keyOf(given: IdentityKey = {}) {
  return { selector: given.DomainSigningSelector ?? "", privateKey: given.DomainSigningPrivateKey ?? "" }
}

function reply(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body))
}

function refuse(response: ServerResponse, status: number, type: string, message: string): void {
  response
    .writeHead(status, { "content-type": "application/json", "x-amzn-errortype": type })
    .end(JSON.stringify({ message }))
}
