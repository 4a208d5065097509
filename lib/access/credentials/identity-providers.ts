import type { Profile, User } from "next-auth"
import type { OAuthConfig } from "next-auth/providers/oauth"
import { z } from "zod"
import { env, type IdentityProvider } from "@/lib/platform/env/env"

export type ProviderName = "github" | "google"

/** An account at an identity provider, with an address that the provider has verified. */
export type Identity = { provider: ProviderName; subject: string; email: string }

const answerWaitMs = 5_000

/** The providers that the operator has configured. */
export function configuredProviders(): ProviderName[] {
  const { github, google } = env().identity
  return [...(github ? ["github" as const] : []), ...(google ? ["google" as const] : [])]
}

/** The same for next-auth. State and PKCE always; a nonce where there is an id token. */
export function oauthProviders(): OAuthConfig<Profile>[] {
  const { github, google } = env().identity
  return [...(github ? [byGitHub(github)] : []), ...(google ? [byGoogle(google)] : [])]
}

/** The identity that next-auth received, or null when the provider has not verified its address. */
export function provenIdentity(provider: string, user: User): Identity | null {
  const { id, email, verified } = user as { id: string; email?: string | null; verified?: boolean }
  if ((provider !== "github" && provider !== "google") || !email || verified !== true) return null
  return { provider, subject: String(id), email }
}

function byGoogle({ clientId, clientSecret, origin }: IdentityProvider): OAuthConfig<Profile> {
  return {
    id: "google",
    name: "Google",
    type: "oauth",
    wellKnown: `${origin}/.well-known/openid-configuration`,
    authorization: { params: { scope: "openid email", prompt: "select_account" } },
    idToken: true,
    checks: ["state", "pkce", "nonce"],
    clientId,
    clientSecret,
    profile: (claims) =>
      known(GoogleClaims.parse(claims), ({ sub, email, email_verified }) => ({
        id: sub,
        email,
        verified: email_verified === true,
      })),
  }
}

const GoogleClaims = z.object({
  sub: z.string().min(1),
  email: z.string().nullish(),
  email_verified: z.boolean().optional(),
})

function byGitHub({ clientId, clientSecret, origin }: IdentityProvider): OAuthConfig<Profile> {
  // GitHub Enterprise Server serves its API on its own host.
  const api = origin === "https://github.com" ? "https://api.github.com" : `${origin}/api/v3`
  return {
    id: "github",
    name: "GitHub",
    type: "oauth",
    issuer: `${origin}/login/oauth`,
    authorization: { url: `${origin}/login/oauth/authorize`, params: { scope: "read:user user:email" } },
    token: { url: `${origin}/login/oauth/access_token` },
    userinfo: {
      url: `${api}/user`,
      request: async ({ tokens }) => {
        const [user, addresses] = await Promise.all([
          ask(`${api}/user`, tokens.access_token),
          ask(`${api}/user/emails`, tokens.access_token),
        ])
        return { user, addresses } as Profile
      },
    },
    checks: ["state", "pkce"],
    clientId,
    clientSecret,
    profile: (answer) =>
      known(GitHubAnswer.parse(answer), ({ user, addresses }) => {
        const primary = addresses.find((address) => address.primary)
        return { id: String(user.id), email: primary?.email, verified: primary?.verified === true }
      }),
  }
}

const GitHubAnswer = z.object({
  user: z.object({ id: z.int().positive() }),
  addresses: z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() })),
})

function known<T>(answer: T, read: (answer: T) => { id: string; email?: string | null; verified: boolean }): User {
  return read(answer)
}

async function ask(url: string, token: string | undefined): Promise<unknown> {
  const headers = { Authorization: `Bearer ${token}`, Accept: "application/vnd.github+json", "User-Agent": "Mailroom" }
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(answerWaitMs), redirect: "error" })
  if (!response.ok) throw new Error(`${new URL(url).pathname} answered ${response.status}.`)
  return response.json()
}
