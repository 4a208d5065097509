import { z } from "zod"
import { decodeId } from "@/lib/platform/ids"
import { parseUrl } from "@/lib/platform/url-rules"

/** What the operator registered at an identity provider: the application's id and secret, and where the provider is. */
export type IdentityProvider = { clientId: string; clientSecret: string; origin: string }

/** The members of a group get this role in an organization. */
export type GroupRole = { group: string; organizationId: string; role: "owner" | "admin" | "developer" | "viewer" }

/** A provider that speaks OpenID Connect, with the roles that its groups give. */
export type OidcProvider = Omit<IdentityProvider, "origin"> & {
  /** As the provider calls itself, without a slash at the end. */
  issuer: string
  name: string
  scopes: string
  groupsClaim: string
  roles: readonly GroupRole[]
}

const origin = (fallback: string) =>
  z
    .string()
    .default(fallback)
    .transform((text, context) => {
      const url = parseUrl(text)
      if (url && /^https?:$/.test(url.protocol) && url.pathname === "/" && !url.search && !url.hash && !url.username)
        return url.origin
      context.addIssue({ code: "custom", message: `must be an origin such as ${fallback}, without a path.` })
      return z.NEVER
    })

const issuer = z
  .string()
  .optional()
  .transform((text, context) => {
    if (text === undefined) return undefined
    const url = parseUrl(text)
    if (url && /^https?:$/.test(url.protocol) && !url.search && !url.hash && !url.username)
      return text.replace(/\/$/, "")
    context.addIssue({ code: "custom", message: "must be a URL such as https://id.example.com/realms/acme." })
    return z.NEVER
  })

/** A group's name may have commas and equals signs, as in directories: this tells where it ends. */
const roleOfGroup = /=(org_[0-9a-z]+):(owner|admin|developer|viewer)\s*(?:,|$)/g

const groupRoles = z
  .string()
  .default("")
  .transform((text, context) => {
    const found: GroupRole[] = []
    let end = 0
    for (const { 0: whole, 1: organization = "", 2: role, index } of text.matchAll(roleOfGroup)) {
      const group = text.slice(end, index).trim()
      const organizationId = decodeId("org", organization)
      if (!group || !organizationId) break
      found.push({ group, organizationId, role: role as GroupRole["role"] })
      end = index + whole.length
    }
    const rest = text.slice(end).trim()
    if (!rest) return found
    const form = "must be a list such as mail-admins=org_…:admin, mail-team=org_…:viewer"
    context.addIssue({ code: "custom", message: `${form}; "${rest}" is none.` })
    return z.NEVER
  })

/** The variables of sign-in by GitHub, Google and a provider of OpenID Connect. */
export const identityVariables = {
  GITHUB_CLIENT_ID: z.string().optional(),
  GITHUB_CLIENT_SECRET: z.string().optional(),
  GITHUB_URL: origin("https://github.com"),
  GOOGLE_CLIENT_ID: z.string().optional(),
  GOOGLE_CLIENT_SECRET: z.string().optional(),
  GOOGLE_ISSUER: origin("https://accounts.google.com"),
  OIDC_ISSUER: issuer,
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OIDC_NAME: z.string().trim().max(40, "must have at most 40 characters.").default("single sign-on"),
  OIDC_SCOPES: z.string().default("openid email"),
  OIDC_GROUPS_CLAIM: z.string().default("groups"),
  OIDC_ROLES: groupRoles,
}

type Given = z.output<z.ZodObject<typeof identityVariables>>

/** A part of what belongs together is a mistake, not "off". */
export function refuseParts(given: Given, context: z.RefinementCtx) {
  for (const name of ["GITHUB", "GOOGLE"] as const) {
    const [id, secret] = [`${name}_CLIENT_ID`, `${name}_CLIENT_SECRET`] as const
    if (given[id] && !given[secret])
      context.addIssue({ code: "custom", path: [secret], message: `must be set with ${id}.` })
    if (given[secret] && !given[id])
      context.addIssue({ code: "custom", path: [id], message: `must be set with ${secret}.` })
  }
  const oidc = ["OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET"] as const
  const begun = oidc.find((name) => given[name]) ?? (given.OIDC_ROLES.length ? "OIDC_ROLES" : undefined)
  for (const name of oidc)
    if (begun && !given[name]) context.addIssue({ code: "custom", path: [name], message: `must be set with ${begun}.` })
}

export type IdentitySettings = {
  github: IdentityProvider | null
  google: IdentityProvider | null
  oidc: OidcProvider | null
}

export function identitySettings(given: Given): IdentitySettings {
  return {
    oidc: oidcProvider(given),
    github: provider(given.GITHUB_CLIENT_ID, given.GITHUB_CLIENT_SECRET, given.GITHUB_URL),
    google: provider(given.GOOGLE_CLIENT_ID, given.GOOGLE_CLIENT_SECRET, given.GOOGLE_ISSUER),
  }
}

function provider(clientId: string | undefined, clientSecret: string | undefined, at: string): IdentityProvider | null {
  return clientId && clientSecret ? { clientId, clientSecret, origin: at } : null
}

function oidcProvider(given: Given): OidcProvider | null {
  const { OIDC_ISSUER: issuedBy, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = given
  if (!issuedBy || !clientId || !clientSecret) return null
  const { OIDC_NAME: name, OIDC_SCOPES: scopes, OIDC_GROUPS_CLAIM: groupsClaim, OIDC_ROLES: roles } = given
  return { issuer: issuedBy, clientId, clientSecret, name, scopes, groupsClaim, roles }
}
