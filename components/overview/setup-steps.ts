export type SetupStep = {
  id: "domain" | "dns" | "key" | "email"
  title: string
  /** How to get there, while it is open. */
  todo: string
  /** When exactly it counts as done. */
  rule: string
  done: boolean
  href: string
}

type SetupState = { domains: { id: string; status: string }[]; keys: { enabled: boolean }[]; emails: number }

/** What a new project needs before its first email arrives, in the order in which it is done. */
export function setupSteps(projectId: string, { domains, keys, emails }: SetupState): SetupStep[] {
  const root = `/projects/${projectId}`
  // A degraded domain has been verified and still sends.
  const verified = domains.some(({ status }) => status === "verified" || status === "degraded")
  const [only] = domains
  return [
    {
      id: "domain",
      title: "Add a domain",
      todo: "The part after the @ of the address you send from.",
      rule: "Done when the project has a domain.",
      done: domains.length > 0,
      href: `${root}/domains`,
    },
    {
      id: "dns",
      title: "Verify its DNS records",
      todo: "Copy the records to your DNS provider. We check them automatically.",
      rule: "Done when DKIM and both MAIL FROM records of a domain are found.",
      done: verified,
      href: only && domains.length === 1 ? `${root}/domains/${only.id}` : `${root}/domains`,
    },
    {
      id: "key",
      title: "Create an API key",
      todo: "Your programs send with it. It is shown once.",
      rule: "Done when the project has a key that is not revoked or expired.",
      done: keys.some(({ enabled }) => enabled),
      href: `${root}/api-keys`,
    },
    {
      id: "email",
      title: "Send the first email",
      todo: "One command does it; the page of the email shows what became of it.",
      rule: "Done when an email has been accepted.",
      done: emails > 0,
      href: `${root}/emails`,
    },
  ]
}
