import { AsyncLocalStorage } from "node:async_hooks"
import NextAuth, { type NextAuthOptions, type User } from "next-auth"
import CredentialsProvider from "next-auth/providers/credentials"
import { z } from "zod"
import { oauthProviders, provenIdentity } from "@/lib/access/credentials/identity-providers"
import { PasskeyAssertion } from "@/lib/access/passkeys/schema"
import { landingPath } from "@/lib/access/rules"
import { secureCookies, sessionCookieName, sessionSecret, cookieValue } from "@/lib/access/credentials/session"
import {
  signInByIdentity,
  signInByLink,
  signInByPasskey,
  signInByPassword,
  signInBySecondStep,
  signOut,
  type SecondStepWanted,
  type SignedIn,
  type SignInOrigin,
} from "@/lib/access/credentials/sign-in"
import { env, provideEnv } from "@/lib/platform/env/env"
import { log } from "@/lib/platform/log"
import { isUnavailable } from "@/lib/platform/database/sql-errors"
import { pendingSignInSeconds } from "@/lib/access/second-factor/data"

const maxAgeSeconds = 14 * 24 * 60 * 60

/** The parts of a request that next-auth reads. */
export type AuthRequest = {
  method: string
  query: Record<string, string | string[]>
  cookies: Record<string, string>
  headers: Record<string, string>
  body: Record<string, string>
}

/** The methods that next-auth calls on its response. */
export type AuthResponse = {
  status(code: number): AuthResponse
  setHeader(name: string, value: string | string[]): void
  getHeader(name: string): string | string[] | undefined
  json(value: unknown): void
  send(body: unknown): void
  end(): void
}

/**
 * What next-auth cannot say of a sign-in: that it waits for the second step, under a token, or why that was refused, or that the
 * identity provider could not be reached.
 */
export type AuthOutcome = {
  secondStepToken?: string
  secondStep?: "expired" | "refused"
  providerUnreachable?: boolean
}

/** The logger is one for all requests that run. */
const outcomes = new AsyncLocalStorage<AuthOutcome>()

/**
 * Runs next-auth on a request. Its origin is BASE_URL, never a header of the request. After `late` is aborted, nobody is signed in
 * by a provider any more.
 */
export async function runAuth(request: AuthRequest, response: AuthResponse, late?: AbortSignal): Promise<AuthOutcome> {
  if (!toldOrigin) provideEnv({ NEXTAUTH_URL: env().baseUrl })
  toldOrigin = true
  const outcome: AuthOutcome = {}
  const given = options(originOf(request.headers), outcome, late)
  await outcomes.run(outcome, () => NextAuth(request as never, response as never, given))
  return outcome
}

let toldOrigin = false

function options(from: SignInOrigin, outcome: AuthOutcome, late?: AbortSignal): NextAuthOptions {
  const cookie = { httpOnly: true, sameSite: "lax", path: "/", secure: secureCookies() } as const
  const prefix = cookiePrefix()
  return {
    secret: sessionSecret(),
    session: { strategy: "jwt", maxAge: maxAgeSeconds },
    useSecureCookies: secureCookies(),
    cookies: {
      sessionToken: { name: sessionCookieName(), options: cookie },
      csrfToken: { name: `${prefix}mailroom.csrf`, options: cookie },
      callbackUrl: { name: callbackCookieName(), options: cookie },
      state: { name: `${prefix}mailroom.state`, options: cookie },
      pkceCodeVerifier: { name: `${prefix}mailroom.pkce`, options: cookie },
      nonce: { name: `${prefix}mailroom.nonce`, options: cookie },
    },
    pages: { signIn: "/sign-in", signOut: "/sign-in", error: "/sign-in" },
    providers: [
      byPassword(from, outcome),
      byLink(from, outcome),
      bySecondStep(from, outcome),
      byPasskey(from, outcome),
      ...oauthProviders(),
    ],
    callbacks: {
      async signIn({ user, account }) {
        if (account?.type !== "oauth") return true
        if (late?.aborted) return false
        const identity = provenIdentity(account.provider, user)
        const signedIn = identity && opened(await signInByIdentity(identity, from), outcome)
        if (signedIn) (user as SessionUser).sid = signedIn.sessionId
        return Boolean(signedIn)
      },
      // The cookie carries the id of the session and nothing else.
      jwt: ({ token, user }) => (user ? { sid: (user as SessionUser).sid } : { sid: token.sid }),
      redirect: ({ url }) => env().baseUrl + landingPath(pathOf(url)),
    },
    events: {
      async signOut({ token }) {
        if (typeof token?.sid === "string") await signOut(token.sid, from)
      },
    },
    logger: {
      error(code, detail) {
        const error = detail instanceof Error ? detail : detail.error
        const running = outcomes.getStore()
        if (running && error && isUnreachable(error)) running.providerUnreachable = true
        log.warn({ code, detail: error?.message }, "signing in failed")
      },
      warn: (code) => log.debug({ code }, "next-auth warns"),
      debug: () => undefined,
    },
  }
}

/** Connections that fail have the code of the system; that a request took too long or met a fault of the provider is in words alone. */
function isUnreachable({ message, code }: Error & { code?: unknown }): boolean {
  return /^E(?!RR_)[A-Z_]+$/.test(String(code)) || /timed out|due to timeout|fetch failed|got: 5\d\d/.test(message)
}

type SessionUser = User & { sid: string }

const byPassword = (from: SignInOrigin, outcome: AuthOutcome) =>
  CredentialsProvider({
    id: "password",
    credentials: { email: {}, password: {} },
    async authorize(given) {
      const parsed = z.object({ email: z.string(), password: z.string() }).safeParse(given)
      if (!parsed.success) return null
      return named(signInByPassword(parsed.data.email, parsed.data.password, from), outcome)
    },
  })

const byLink = (from: SignInOrigin, outcome: AuthOutcome) =>
  CredentialsProvider({
    id: "link",
    credentials: { token: {} },
    async authorize(given) {
      const parsed = z.object({ token: z.string() }).safeParse(given)
      return parsed.success ? named(signInByLink(parsed.data.token, from), outcome) : null
    },
  })

const bySecondStep = (from: SignInOrigin, outcome: AuthOutcome) =>
  CredentialsProvider({
    id: "second-step",
    credentials: { code: {} },
    async authorize(given) {
      const parsed = z.object({ code: z.string() }).safeParse(given)
      const code = parsed.success ? parsed.data.code : ""
      return named(signInBySecondStep(secondStepToken(from.cookie ?? null), code, from), outcome)
    },
  })

const byPasskey = (from: SignInOrigin, outcome: AuthOutcome) =>
  CredentialsProvider({
    id: "passkey",
    credentials: { credentialId: {}, clientDataJSON: {}, authenticatorData: {}, signature: {}, userHandle: {} },
    async authorize(given) {
      const parsed = PasskeyAssertion.safeParse(given)
      return parsed.success ? named(signInByPasskey(parsed.data, from), outcome) : null
    },
  })

/** next-auth passes on only the message of an error. */
export const databaseUnavailable = "database-unavailable"

type SignInResult = SignedIn | SecondStepWanted | "expired" | "refused" | null

/** The session that was opened, or null; the outcome then says why, where next-auth cannot. */
function opened(result: SignInResult, outcome: AuthOutcome): SignedIn | null {
  if (result === "expired" || result === "refused") outcome.secondStep = result
  else if (result && "secondStepToken" in result) outcome.secondStepToken = result.secondStepToken
  else return result
  return null
}

async function named(work: Promise<SignInResult>, outcome: AuthOutcome): Promise<SessionUser | null> {
  try {
    const signedIn = opened(await work, outcome)
    return signedIn && { id: signedIn.userId, sid: signedIn.sessionId }
  } catch (error) {
    throw isUnavailable(error) ? new Error(databaseUnavailable, { cause: error }) : error
  }
}

function originOf(headers: Record<string, string> = {}): SignInOrigin {
  const { "user-agent": userAgent, cookie } = headers
  return { ip: headers["x-client-ip"] ?? "127.0.0.1", ...(userAgent && { userAgent }), ...(cookie && { cookie }) }
}

function cookiePrefix(): string {
  return secureCookies() ? "__Host-" : ""
}

/** The cookie in which next-auth keeps where a sign-in by a provider leads to. */
function callbackCookieName(): string {
  return `${cookiePrefix()}mailroom.callback`
}

/** The path to which a sign-in by a provider leads, of those of our own. */
export function wantedPath({ cookies }: AuthRequest): string {
  return landingPath(pathOf(cookies[callbackCookieName()] ?? "/"))
}

/** next-auth passes the requested URL, or one of its own. */
function pathOf(url: string): string {
  return url.startsWith(`${env().baseUrl}/`) ? url.slice(env().baseUrl.length) : url
}

function cookieName(): string {
  return secureCookies() ? "__Host-mailroom.second-step" : "mailroom.second-step"
}

/** The token of a sign-in that waits for the second step, which only this browser has. */
function secondStepToken(cookieHeader: string | null): string | null {
  return cookieHeader && cookieValue(cookieHeader, cookieName())
}

/** The `Set-Cookie` header that keeps the token for as long as the sign-in waits; none ends it. */
export function secondStepCookie(token: string | null): string {
  const maxAge = token === null ? 0 : pendingSignInSeconds
  const secure = secureCookies() ? "; Secure" : ""
  return `${cookieName()}=${token ?? ""}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAge}${secure}`
}
