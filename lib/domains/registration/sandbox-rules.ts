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

/** Goes with the records of a domain whose mail is captured, in every form in which they are exported. */
export const cannotSendYet =
  "Do not publish these yet. This installation cannot send, and the records name hosts of its sandbox."
