import { asciiHost } from "@/lib/addresses/ascii-host"

const form = /^[^\s@<>()[\]\\,;:"\u0000-\u001f\u007f]{1,64}@([^\s@]{1,253})$/

/**
 * The form in which a user's address is stored and looked up: NFC, lower case, the domain in ASCII. Null when the text is
 * not a single plain address.
 */
export function personAddress(text: string): string | null {
  const given = text.normalize("NFC").trim().toLowerCase()
  const domain = asciiHost(form.exec(given)?.[1] ?? "")
  if (!domain || !domain.includes(".") || domain.endsWith(".")) return null
  return `${given.slice(0, given.lastIndexOf("@"))}@${domain}`
}
