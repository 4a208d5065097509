import { createHash, generateKeyPairSync, randomUUID, sign } from "node:crypto"
import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"

/** Whom the provider says the person at the browser is. */
export type Claimed = { subject: string; email?: string; verified: boolean; groups?: string[] }

/**
 * What the provider does wrong. `issuer`: its tokens are of another one; `renamed`: it calls itself so everywhere; `silent`: it
 * does not answer when a code is to be exchanged; `endless`: it never ends to describe itself.
 */
export type Misdeed =
  | "state"
  | "nonce"
  | "signature"
  | "audience"
  | "issuer"
  | "renamed"
  | "refuses"
  | "silent"
  | "endless"

export type TestProvider = {
  origin: string
  /** The next person who comes. */
  person: Claimed
  misdeed?: Misdeed
  /** Visits the authorization address as a browser would; answers where the browser is sent back to. */
  authorize(address: string): Promise<string>
  close(): Promise<void>
}

export const testClient = { id: "mailroom-test", secret: "a secret of the application" }

const otherIssuer = "https://id.example.org"

type Grant = { challenge: string; nonce: string | null; redirect: string; person: Claimed }

/**
 * An identity provider on loopback that speaks OpenID Connect and, as GitHub Enterprise, OAuth 2, with PKCE. It tells groups at its
 * userinfo endpoint alone. A test in another process sets the next person and the misdeed by `PUT /next`.
 */
export async function identityProvider(port = 0): Promise<TestProvider> {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 })
  const grants = new Map<string, Grant>()
  const tokens = new Map<string, Claimed>()

  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "/", provider.origin)
    if (provider.misdeed === "endless") return void setInterval(() => response.write(" "), 50).unref()
    const answer = await answers[`${request.method} ${url.pathname}`]?.(url, request)
    if (!answer) return void response.writeHead(404).end()
    if ("location" in answer) return void response.writeHead(302, { Location: String(answer.location) }).end()
    response
      .writeHead("error" in answer ? 400 : 200, { "Content-Type": "application/json" })
      .end(JSON.stringify(answer.list ?? answer))
  })
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve))

  const provider: TestProvider = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    person: { subject: "1", email: "nobody@example.com", verified: true },
    async authorize(address) {
      const response = await fetch(address, { redirect: "manual" })
      return response.headers.get("location") ?? ""
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }

  type Answer = Record<string, unknown> | undefined
  const answers: Record<string, (url: URL, request: IncomingMessage) => Answer | Promise<Answer>> = {
    "GET /.well-known/openid-configuration": () => ({
      issuer: provider.misdeed === "renamed" ? otherIssuer : provider.origin,
      authorization_endpoint: `${provider.origin}/authorize`,
      token_endpoint: `${provider.origin}/token`,
      userinfo_endpoint: `${provider.origin}/userinfo`,
      jwks_uri: `${provider.origin}/keys`,
      id_token_signing_alg_values_supported: ["RS256"],
    }),
    "GET /keys": () => ({ keys: [{ ...publicKey.export({ format: "jwk" }), kid: "1", alg: "RS256", use: "sig" }] }),
    "PUT /next": async (_, request) => {
      const next = JSON.parse(await bodyOf(request)) as { person: Claimed; misdeed?: Misdeed }
      provider.person = next.person
      if (next.misdeed) provider.misdeed = next.misdeed
      else delete provider.misdeed
      return {}
    },
    "GET /userinfo": (_, request) =>
      whoseToken(request, ({ subject, groups }) => ({ sub: subject, ...(groups && { groups }) })),
    "GET /authorize": grant,
    "GET /login/oauth/authorize": grant,
    "POST /token": async (_, request) => exchange(request, idToken),
    "POST /login/oauth/access_token": async (_, request) =>
      exchange(request, () => ({ scope: "read:user,user:email" })),
    "GET /api/v3/user": (_, request) =>
      whoseToken(request, ({ subject, email }) => ({ id: Number(subject), login: "ada", email })),
    "GET /api/v3/user/emails": (_, request) =>
      whoseToken(request, ({ email, verified }) => ({
        list: [
          { email: "other@example.com", primary: false, verified: true },
          ...(email ? [{ email, primary: true, verified }] : []),
        ],
      })),
  }

  function grant(url: URL): Answer {
    const asked = url.searchParams
    const back = new URL(asked.get("redirect_uri") ?? "")
    back.searchParams.set("state", provider.misdeed === "state" ? "of somebody else" : (asked.get("state") ?? ""))
    if (provider.misdeed === "refuses") {
      back.searchParams.set("error", "access_denied")
      return { location: back.href }
    }
    if (asked.get("client_id") !== testClient.id || asked.get("code_challenge_method") !== "S256")
      return { error: "invalid_request" }
    const code = randomUUID()
    const [challenge, redirect] = [asked.get("code_challenge") ?? "", asked.get("redirect_uri") ?? ""]
    grants.set(code, { challenge, redirect, nonce: asked.get("nonce"), person: provider.person })
    back.searchParams.set("code", code)
    return { location: back.href }
  }

  async function exchange(
    request: IncomingMessage,
    more: (granted: Grant) => Record<string, unknown>,
  ): Promise<Answer> {
    if (provider.misdeed === "silent") await new Promise(() => {})
    const form = new URLSearchParams(await bodyOf(request))
    const granted = grants.get(form.get("code") ?? "")
    grants.delete(form.get("code") ?? "")
    const [id = "", secret = ""] = Buffer.from(request.headers.authorization?.slice(6) ?? "", "base64")
      .toString()
      .split(":")
      .map(formDecoded)
    const verifier = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url")
    if (!granted || id !== testClient.id || secret !== testClient.secret) return { error: "invalid_client" }
    if (granted.challenge !== verifier || granted.redirect !== form.get("redirect_uri"))
      return { error: "invalid_grant" }
    const token = randomUUID()
    tokens.set(token, granted.person)
    return { access_token: token, token_type: "bearer", ...more(granted) }
  }

  function idToken({ person, nonce }: Grant) {
    const now = Math.floor(Date.now() / 1000)
    const claims = {
      iss: provider.misdeed === "issuer" || provider.misdeed === "renamed" ? otherIssuer : provider.origin,
      aud: provider.misdeed === "audience" ? "another application" : testClient.id,
      sub: person.subject,
      email: person.email,
      email_verified: person.verified,
      iat: now,
      exp: now + 300,
      nonce: provider.misdeed === "nonce" ? "of another sign-in" : nonce,
    }
    const body = [{ alg: "RS256", kid: "1" }, claims]
      .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
      .join(".")
    const signature = sign(
      "sha256",
      Buffer.from(provider.misdeed === "signature" ? `${body}x` : body),
      privateKey,
    ).toString("base64url")
    return { id_token: `${body}.${signature}` }
  }

  function whoseToken(request: IncomingMessage, say: (person: Claimed) => Record<string, unknown>): Answer {
    const person = tokens.get(request.headers.authorization?.replace(/^bearer /i, "") ?? "")
    return person ? say(person) : { error: "bad_credentials" }
  }

  return provider
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

function formDecoded(text: string): string {
  return decodeURIComponent(text.replaceAll("+", " "))
}
