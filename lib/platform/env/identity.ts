import { z } from "zod"
import { parseUrl } from "@/lib/platform/url-rules"

/** What the operator registered at an identity provider: the application's id and secret, and where the provider is. */
export type IdentityProvider = { clientId: string; clientSecret: string; origin: string }

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

/** The variables of sign-in by GitHub and Google. */
export const identityVariables = {
  GITHUB_CLIENT_ID: z.string().optional(),
  GITHUB_CLIENT_SECRET: z.string().optional(),
  GITHUB_URL: origin("https://github.com"),
  GOOGLE_CLIENT_ID: z.string().optional(),
  GOOGLE_CLIENT_SECRET: z.string().optional(),
  GOOGLE_ISSUER: origin("https://accounts.google.com"),
}

type Given = z.output<z.ZodObject<typeof identityVariables>>

/** Half of a pair is a mistake, not "off". */
export function refuseHalfPairs(given: Given, context: z.RefinementCtx) {
  for (const name of ["GITHUB", "GOOGLE"] as const) {
    const [id, secret] = [`${name}_CLIENT_ID`, `${name}_CLIENT_SECRET`] as const
    if (given[id] && !given[secret])
      context.addIssue({ code: "custom", path: [secret], message: `must be set with ${id}.` })
    if (given[secret] && !given[id])
      context.addIssue({ code: "custom", path: [id], message: `must be set with ${secret}.` })
  }
}

export function identitySettings(given: Given): { github: IdentityProvider | null; google: IdentityProvider | null } {
  return {
    github: provider(given.GITHUB_CLIENT_ID, given.GITHUB_CLIENT_SECRET, given.GITHUB_URL),
    google: provider(given.GOOGLE_CLIENT_ID, given.GOOGLE_CLIENT_SECRET, given.GOOGLE_ISSUER),
  }
}

function provider(clientId: string | undefined, clientSecret: string | undefined, at: string): IdentityProvider | null {
  return clientId && clientSecret ? { clientId, clientSecret, origin: at } : null
}
