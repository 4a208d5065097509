import NextAuth, { type NextAuthOptions, type User } from "next-auth"
import CredentialsProvider from "next-auth/providers/credentials"
import { z } from "zod"
import { oauthProviders, provenIdentity } from "@/lib/access/credentials/identity-providers"
import { landingPath } from "@/lib/access/rules"
import { secureCookies, sessionCookieName, sessionSecret } from "@/lib/access/credentials/session"
import {
  signInByIdentity,
  signInByLink,
  signInByPassword,
  type SignedIn,
  type SignInOrigin,
} from "@/lib/access/credentials/sign-in"
import { revokeSessions } from "@/lib/access/credentials/data"
import { env, provideEnv } from "@/lib/platform/env/env"
import { log } from "@/lib/platform/log"
import { isUnavailable } from "@/lib/platform/database/sql-errors"

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

/** Runs next-auth on a request. Its origin is BASE_URL, never a header of the request. */
export async function runAuth(request: AuthRequest, response: AuthResponse): Promise<void> {
  if (!toldOrigin) provideEnv({ NEXTAUTH_URL: env().baseUrl })
  toldOrigin = true
  await NextAuth(request as never, response as never, options(originOf(request.headers)))
}

let toldOrigin = false

function options(from: SignInOrigin): NextAuthOptions {
  const cookie = { httpOnly: true, sameSite: "lax", path: "/", secure: secureCookies() } as const
  const prefix = secureCookies() ? "__Host-" : ""
  return {
    secret: sessionSecret(),
    session: { strategy: "jwt", maxAge: maxAgeSeconds },
    useSecureCookies: secureCookies(),
    cookies: {
      sessionToken: { name: sessionCookieName(), options: cookie },
      csrfToken: { name: `${prefix}mailroom.csrf`, options: cookie },
      callbackUrl: { name: `${prefix}mailroom.callback`, options: cookie },
      state: { name: `${prefix}mailroom.state`, options: cookie },
      pkceCodeVerifier: { name: `${prefix}mailroom.pkce`, options: cookie },
      nonce: { name: `${prefix}mailroom.nonce`, options: cookie },
    },
    pages: { signIn: "/sign-in", signOut: "/sign-in", error: "/sign-in" },
    providers: [byPassword, byLink, ...oauthProviders()],
    callbacks: {
      async signIn({ user, account }) {
        if (account?.type !== "oauth") return true
        const identity = provenIdentity(account.provider, user)
        const signedIn = identity && (await signInByIdentity(identity, from))
        if (signedIn) (user as SessionUser).sid = signedIn.sessionId
        return Boolean(signedIn)
      },
      // The cookie carries the id of the session and nothing else.
      jwt: ({ token, user }) => (user ? { sid: (user as SessionUser).sid } : { sid: token.sid }),
      redirect: ({ url }) => env().baseUrl + landingPath(pathOf(url)),
    },
    events: {
      async signOut({ token }) {
        if (typeof token?.sid === "string") await revokeSessions({ id: token.sid })
      },
    },
    logger: {
      error: (code, detail) =>
        log.warn(
          { code, detail: detail instanceof Error ? detail.message : detail.error?.message },
          "signing in failed",
        ),
      warn: (code) => log.debug({ code }, "next-auth warns"),
      debug: () => undefined,
    },
  }
}

type SessionUser = User & { sid: string }

const byPassword = CredentialsProvider({
  id: "password",
  credentials: { email: {}, password: {} },
  async authorize(given, request) {
    const parsed = z.object({ email: z.string(), password: z.string() }).safeParse(given)
    if (!parsed.success) return null
    return named(signInByPassword(parsed.data.email, parsed.data.password, originOf(request.headers)))
  },
})

const byLink = CredentialsProvider({
  id: "link",
  credentials: { token: {} },
  async authorize(given, request) {
    const parsed = z.object({ token: z.string() }).safeParse(given)
    return parsed.success ? named(signInByLink(parsed.data.token, originOf(request.headers))) : null
  },
})

/** next-auth passes on only the message of an error. */
export const databaseUnavailable = "database-unavailable"

async function named(work: Promise<SignedIn | null>): Promise<SessionUser | null> {
  try {
    const signedIn = await work
    return signedIn && { id: signedIn.userId, sid: signedIn.sessionId }
  } catch (error) {
    throw isUnavailable(error) ? new Error(databaseUnavailable, { cause: error }) : error
  }
}

function originOf(headers: Record<string, string> = {}): SignInOrigin {
  const { "user-agent": userAgent, cookie } = headers
  return { ip: headers["x-client-ip"] ?? "127.0.0.1", ...(userAgent && { userAgent }), ...(cookie && { cookie }) }
}

/** next-auth passes the requested URL, or one of its own. */
function pathOf(url: string): string {
  return url.startsWith(`${env().baseUrl}/`) ? url.slice(env().baseUrl.length) : url
}
