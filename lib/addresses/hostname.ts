export type HostnameRead = { ok: true; ascii: string } | { ok: false; reason: string }

/** Octets, without the final dot (RFC 1035 2.3.4). */
export const hostnameMax = 253
const labelMax = 63

/**
 * Reads a host name as a person types it and gives its wire form: lower case, internationalized labels as A-labels
 * (UTS 46, non-transitional), without a final dot. The reason completes the sentence "This name …".
 */
export function hostname(text: string): HostnameRead {
  const fault = shapeFault(text)
  if (fault) return refused(fault)
  const ascii = toAscii(text.replace(/[.。．｡]$/, ""))
  if (ascii === null) return refused("is not a host name: it holds a character or a label that names cannot have.")
  // The URL standard reads 127.1 and 0x7f.0.0.1 as addresses, and so would a resolver.
  if (/^\d+(\.\d+){3}$/.test(ascii)) return refused("is an IP address; a domain name is needed.")
  const labels = ascii.split(".")
  if (labels.includes("")) return refused("has an empty part: two dots follow each other, or it begins with one.")
  if (ascii.includes("_")) return refused("holds an underscore, which the name of a sending domain cannot have.")
  if (labels.some((label) => !/^[a-z0-9-]+$/.test(label)))
    return refused("may hold only letters, digits, hyphens and dots.")
  if (labels.some((label) => label.length > labelMax)) return refused(`has a part longer than ${labelMax} characters.`)
  if (labels.some((label) => /^-|-$/.test(label))) return refused("has a part that begins or ends with a hyphen.")
  if (ascii.length > hostnameMax) return refused(`is longer than ${hostnameMax} characters.`)
  if (labels.length < 2) return refused("has only one part; a domain such as acme.com is needed.")
  return { ok: true, ascii }
}

/** What the URL parser would quietly cut off or read otherwise is named before it sees the text. */
function shapeFault(text: string): string | null {
  if (text === "") return "is empty."
  // Longer than any name in any script can be: not worth converting.
  if (text.length > 1000) return `is longer than ${hostnameMax} characters.`
  if (/[\s\p{Cc}]/u.test(text)) return "holds white space or a control character."
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return "carries a scheme; leave out everything up to //."
  if (text.includes("@")) return "looks like an email address; only the part after the @ is needed."
  if (text.includes("*")) return "is a wildcard; every sending domain is registered by its own name."
  if (/[/\\?#]/.test(text)) return "carries a path; only the host name is needed."
  if (/^\[.*\]?$/.test(text) || (text.match(/:/g) ?? []).length > 1) return "is an IP address; a domain name is needed."
  if (text.includes(":")) return "carries a port; only the host name is needed."
  if (/[%<>^|`{}"',;&=+$!()~]/.test(text)) return "may hold only letters, digits, hyphens and dots."
  return null
}

function toAscii(text: string): string | null {
  try {
    return new URL(`http://${text}/`).hostname
  } catch {
    return null
  }
}

function refused(reason: string): HostnameRead {
  return { ok: false, reason }
}
