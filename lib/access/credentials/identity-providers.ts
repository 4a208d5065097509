import type { Profile, User } from "next-auth"
import type { OAuthConfig } from "next-auth/providers/oauth"
import { z } from "zod"
import { env, type IdentityProvider, type OidcProvider, type GroupRole } from "@/lib/platform/env/env"
import { type Role, roles } from "@/lib/access/permissions"

type ProviderName = "github" | "google" | "oidc"

/** An account at an identity provider, with an address that the provider has verified. */
export type Identity = {
  provider: ProviderName
  subject: string
  email: string
  /** With OpenID Connect: who the provider is, and the groups of the account there. */
  issuer?: string
  groups?: readonly string[]
}

const answerWaitMs = 5_000

/** The providers that the operator has configured, as people know them. */
export function configuredProviders(): { id: ProviderName; name: string }[] {
  const { github, google, oidc } = env().identity
  return [
    ...(oidc ? [{ id: "oidc" as const, name: oidc.name }] : []),
    ...(github ? [{ id: "github" as const, name: "GitHub" }] : []),
    ...(google ? [{ id: "google" as const, name: "Google" }] : []),
  ]
}

/** The same for next-auth. State and PKCE always; a nonce where there is an id token. */
export function oauthProviders(): OAuthConfig<Profile>[] {
  const { github, google, oidc } = env().identity
  return [...(github ? [byGitHub(github)] : []), ...(google ? [byGoogle(google)] : []), ...(oidc ? [byOidc(oidc)] : [])]
}

/** The identity that next-auth received, or null when the provider has not verified its address. */
export function provenIdentity(provider: string, user: User): Identity | null {
  const { id, email, verified, groups } = user as Known
  if (!email || verified !== true) return null
  const identity = { subject: String(id), email }
  if (provider === "github" || provider === "google") return { provider, ...identity }
  const { oidc } = env().identity
  return oidc && provider === "oidc" ? { provider, ...identity, issuer: oidc.issuer, groups: groups ?? [] } : null
}

/** What a provider says of an account. */
type Known = { id: string; email?: string | null | undefined; verified: boolean; groups?: string[] }

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

/** Checked by next-auth: state, PKCE, nonce, signature, audience, expiry, and that the tokens are of the issuer that was found. */
function byOidc({ issuer, clientId, clientSecret, name, scopes, groupsClaim }: OidcProvider): OAuthConfig<Profile> {
  return {
    id: "oidc",
    name,
    type: "oauth",
    wellKnown: `${issuer}/.well-known/openid-configuration`,
    authorization: { params: { scope: scopes } },
    idToken: true,
    checks: ["state", "pkce", "nonce"],
    clientId,
    clientSecret,
    userinfo: {
      // Many providers have address and groups only here. That it is about the account of the id token is checked.
      async request({ tokens, client }) {
        // It is that of openid-client, which next-auth declares without its methods.
        const set = tokens as Exclude<Parameters<typeof client.userinfo>[0], string>
        const claims = set.claims()
        if (claims.iss.replace(/\/$/, "") !== issuer)
          throw new Error(`The provider calls itself ${claims.iss}, and OIDC_ISSUER is ${issuer}.`)
        const more = client.issuer.metadata.userinfo_endpoint ? await client.userinfo(set) : {}
        return { ...more, ...claims } as Profile
      },
    },
    profile: (claims) =>
      known(OidcClaims.parse(claims), ({ sub, email, email_verified }) => ({
        id: sub,
        email,
        verified: String(email_verified) === "true",
        groups: Groups.parse((claims as Record<string, unknown>)[groupsClaim]),
      })),
  }
}

/** Some providers write the boolean as text. */
const OidcClaims = GoogleClaims.extend({ email_verified: z.union([z.boolean(), z.string()]).optional() })

/** Absent for people without groups; some providers write a single one as text. */
const Groups = z
  .union([z.array(z.string()), z.string().transform((group) => [group])])
  .nullish()
  .transform((groups) => groups ?? [])

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

function known<T>(answer: T, read: (answer: T) => Known): User {
  return read(answer)
}

async function ask(url: string, token: string | undefined): Promise<unknown> {
  const headers = { Authorization: `Bearer ${token}`, Accept: "application/vnd.github+json", "User-Agent": "Mailroom" }
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(answerWaitMs), redirect: "error" })
  if (!response.ok) throw new Error(`${new URL(url).pathname} answered ${response.status}.`)
  return response.json()
}

/** Role by organization id. */
export type Grants = ReadonlyMap<string, Role>

/** What the groups of an account give: in each organization the highest role. */
export function grantsOf(groups: readonly string[], mapping: readonly GroupRole[]): Grants {
  const grants = new Map<string, Role>()
  for (const { group, organizationId, role } of mapping) {
    const held = grants.get(organizationId)
    const isHigher = held === undefined || roles.indexOf(role) < roles.indexOf(held)
    if (groups.includes(group) && isHigher) grants.set(organizationId, role)
  }
  return grants
}
