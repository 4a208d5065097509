/** How the built-in sandbox concerns a domain: its zone answers for it, or its mail is captured; null outside of it. */
export function sandboxOf({
  domain,
  transport,
}: {
  domain: string
  transport?: string | undefined
}): "answered" | "captured" | null {
  if (transport !== "sandbox") return null
  return domain.endsWith(".test") ? "answered" : "captured"
}

/**
 * Whether the records of a domain are not to be published yet: its mail is captured, and it was never verified. The page and every form
 * in which the records are exported go by this alone.
 */
export function waitsForInstallation(domain: {
  domain: string
  transport?: string | undefined
  verifiedAt?: string | Date | null | undefined
}): boolean {
  return sandboxOf(domain) === "captured" && !domain.verifiedAt
}

/** Goes with the records of such a domain. */
export const cannotSendYet =
  "Do not publish these yet. This installation cannot send, and the records name hosts of its sandbox."
