import { parseUrl } from "@/lib/platform/url-rules"

/** Scheme and user, hosts, and the rest of a URL that may name several hosts, as libpq does: `postgresql://u@a:5432,b/mailroom`. */
const parts = /^(\w+:\/\/(?:[^/?#]*@)?)([^/?#@]*)(.*)$/s

const sought = /([?&])target_session_attrs=([^&]*)(&|$)/

/** A URL for each host that a database URL names; we go to the one that takes writes, so the parameter that says so is left out. */
export function urlsOfHosts(databaseUrl: string): string[] {
  const [, before = "", hosts = "", after = ""] = parts.exec(databaseUrl) ?? []
  const rest = after.replace(sought, (_, first: string, __, last: string) => (last === "&" ? first : ""))
  return hosts.split(",").map((host) => `${before}${host}${rest}`)
}

/** What is wrong with a database URL; null where nothing is. */
export function faultOfDatabaseUrl(databaseUrl: string): string | null {
  if (!urlsOfHosts(databaseUrl).every((url) => /^postgres(ql)?:$/.test(parseUrl(url)?.protocol ?? "")))
    return "must be a postgresql:// URL; several hosts are separated by commas: postgresql://user@a:5432,b:5432/mailroom."
  const wanted = sought.exec(databaseUrl)?.[2] ?? "read-write"
  if (!["read-write", "primary"].includes(wanted))
    return `must lead to a server that takes writes: target_session_attrs=read-write, not ${wanted}.`
  return null
}
