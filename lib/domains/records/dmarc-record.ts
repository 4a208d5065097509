/**
 * The tag list of DKIM and DMARC records (RFC 6376 3.2): names and values in order, without surrounding white
 * space. Null when a part has no `=`, a name is invalid or occurs twice. Names are in lower case, unless their case counts as in
 * DKIM records.
 */
export function parseTags(text: string, { exact = false } = {}): Map<string, string> | null {
  const tags = new Map<string, string>()
  const parts = text.split(";")
  for (const [position, part] of parts.entries()) {
    const trimmed = part.trim()
    if (trimmed === "" && position > 0) continue
    const at = trimmed.indexOf("=")
    if (at < 1) return null
    const written = trimmed.slice(0, at).trim()
    const name = exact ? written : written.toLowerCase()
    if (!/^[a-z][a-z0-9_]*$/i.test(name) || tags.has(name)) return null
    tags.set(name, trimmed.slice(at + 1).trim())
  }
  return tags
}

export type DmarcPolicy = "none" | "quarantine" | "reject"

const policies = ["none", "quarantine", "reject"] as const

/** What the DNS has of a policy for a domain, and at which name: one that applies, records that receivers ignore, or nothing. */
export type PublishedPolicy =
  | { kind: "none" }
  | { kind: "policy" | "several" | "invalid"; name: string; texts: string[] }

/** The record to publish. Without a value nothing can be recommended: which policy the owner wants cannot be read. */
export type RecommendedDmarc = { name: string; value: string | null }

/** Characters of a record that we show, store and put into zone files. */
const lengthMax = 4096

/** Printable ASCII (RFC 9989 4.7) of a sane length. */
export function isPlain(record: string): boolean {
  return record.length <= lengthMax && /^[\x20-\x7e\t]*$/.test(record)
}

/** The names of tags have no case; the value DMARC1 has (RFC 9989 4.7). */
export function isDmarc(text: string): boolean {
  return /^\s*v\s*=\s*DMARC1\s*(;|$)/.test(text.replace(/^\s*V/, "v"))
}

/** Meant as a policy, whatever receivers make of it: it names DMARC as its version, or a policy. */
export function isAttempt(text: string): boolean {
  if (isDmarc(text) || /(^|[^a-z0-9])dmarc1($|[^a-z0-9])|^\W*v\W{0,9}dmarc/i.test(text)) return true
  return !/^\W*v\s*=/i.test(text) && policyIn(readTags(text)) !== null
}

/** The report addresses of a record, without size limits, compared by their lower-case form. */
export function reportUris(rua: string): string[] {
  return uris(rua)
    .map((uri) => uri.toLowerCase().replace(/!\d+[kmgt]?$/, ""))
    .filter((uri) => /^mailto:[^@\s]+@[^@\s]+$/.test(uri))
}

/**
 * The record to recommend: what the owner has published, in valid syntax and with our report address, `uri`. What the owner
 * decided stays: every tag that can be read, and all report addresses but earlier ones of ours. Where nothing is published it is p=none at the
 * organizational domain; where a public suffix has a policy, that policy there.
 */
export function recommendedDmarc(
  published: PublishedPolicy,
  organizationalDomain: string,
  uri: string,
): RecommendedDmarc {
  if (published.kind === "none")
    return { name: `_dmarc.${organizationalDomain}`, value: `v=DMARC1; p=none; rua=${uri}` }
  const { name, texts } = published
  const [text = ""] = texts
  const parsed = published.kind === "policy" && isPlain(text) ? parseTags(text) : null
  if (isOfSuffix(name, organizationalDomain)) {
    const { subdomainPolicy = "none" } = (parsed && policiesOf(parsed)) ?? {}
    return { name: `_dmarc.${organizationalDomain}`, value: `v=DMARC1; p=${subdomainPolicy}; rua=${uri}` }
  }
  const tags = parsed && hasValidPolicies(parsed) ? parsed : merged(texts)
  return { name, value: tags && written(withReportUri(tags, uri)) }
}

/** Whether the record at a name, such as _dmarc.bank, is that of a public suffix, whose records are not the owner's. */
export function isOfSuffix(name: string, organizationalDomain: string): boolean {
  return organizationalDomain.endsWith(name.replace(/^_dmarc/, ""))
}

/**
 * The policies for a domain and for those below it. A record without a usable `p`, or with an unusable `sp` or `np`, counts as p=none if it
 * names a report address; else it has no policy (RFC 9989 4.10.1).
 */
export function policiesOf(tags: Map<string, string>): { policy: DmarcPolicy; subdomainPolicy: DmarcPolicy } | null {
  const policy = policyOf(tags.get("p"))
  if (policy && hasValidPolicies(tags)) return { policy, subdomainPolicy: policyOf(tags.get("sp")) ?? policy }
  return reportUris(tags.get("rua") ?? "").length > 0 ? { policy: "none", subdomainPolicy: "none" } : null
}

function hasValidPolicies(tags: Map<string, string>): boolean {
  return [...decisions].every((name) => !tags.has(name) || policyOf(tags.get(name)) !== null)
}

export function policyOf(text = ""): DmarcPolicy | null {
  return policies.find((policy) => policy === text.toLowerCase()) ?? null
}

/** The tags of records that receivers ignore; null unless all of them want the same policy, which can be read. */
function merged(texts: string[]): Map<string, string> | null {
  const all = texts.filter(isAttempt).map(readTags)
  const [first, ...others] = all
  if (!first || texts.some((text) => text.length > lengthMax) || policyIn(first) === null) return null
  // Older receivers read the policy only behind the version.
  const tags = new Map<string, string>([
    ["v", "DMARC1"],
    ["p", ""],
  ])
  for (const [name, values] of first) if (name !== "v") tags.set(name, values.join(","))
  for (const other of others) {
    for (const [name, values] of other) {
      const own = tags.get(name)
      if (name === "v") continue
      if (lists.has(name)) tags.set(name, union([...uris(own ?? ""), ...values]))
      else if (decisions.has(name) && own?.toLowerCase() !== values[0]?.toLowerCase()) return null
      else if (own === undefined) tags.set(name, values.join(","))
    }
    // What one of them says of subdomains the other leaves to `p`.
    if ([...decisions].some((name) => tags.has(name) && !other.has(name))) return null
  }
  for (const name of lists) if (tags.has(name)) tags.set(name, union(uris(tags.get(name) ?? "")))
  const plain = [...tags].every(([name, value]) => isPlain(value) || !(decisions.has(name) || lists.has(name)))
  if (!plain || [...decisions].some((name) => tags.has(name) && policyOf(tags.get(name)) === null)) return null
  return new Map([...tags].filter(([, value]) => isPlain(value) && value !== "" && !value.includes(";")))
}

/** Tags by which the owner decides what happens to mail. */
const decisions = new Set(["p", "sp", "np"])

/** Tags that hold several addresses. */
const lists = new Set(["rua", "ruf"])

/** The tags of this standard and of the one before it. */
const known = "v|p|sp|np|rua|ruf|adkim|aspf|fo|psd|t|pct|rf|ri"

/**
 * The tags of a record that was typed or pasted wrong: with quotation marks, backslashes, commas or nothing between the tags, a colon for
 * `=`, or in another order. A tag that occurs twice has several values, unless they are the same.
 */
function readTags(text: string): Map<string, string[]> {
  const cleaned = text
    .slice(0, lengthMax + 1)
    .replace(/\\(?=;)|[\u200b-\u200d\u2060\ufeff]/g, "")
    .replace(/["'\u201c-\u201f\u2018-\u201b\u00ab\u00bb`]/g, " ")
    .replace(/[\s\u00a0\u3000]|\p{Cc}/gu, " ")
    .replace(/\uff1b/g, ";")
    .replace(/\uff1d/g, "=")
  const starts = [
    ...cleaned.matchAll(new RegExp(String.raw`(?<=^|[\s;,|])(?:(${known})\s*[=:]|([a-z][a-z0-9_]*)\s*=)`, "gi")),
    ...cleaned.matchAll(/(?<=^|[\s;,|])(p|sp|np)\s+(?=(?:none|quarantine|reject)\b)/gi),
  ].sort((one, other) => one.index - other.index)
  const tags = new Map<string, string[]>()
  starts.forEach((start, at) => {
    const name = (start[1] ?? start[2] ?? "").toLowerCase()
    const end = starts[at + 1]?.index ?? cleaned.length
    const raw = cleaned.slice(start.index + start[0].length, end).replace(/^[\s;,|=]+|[\s;,|]+$/g, "")
    const values = lists.has(name) ? uris(raw) : [raw.replace(/\s*[;|].*$/, "")]
    const before = tags.get(name) ?? []
    const fresh = values.filter((value) => !before.some((known) => known.toLowerCase() === value.toLowerCase()))
    if (before.length > 0 && !lists.has(name) && !decisions.has(name)) return
    tags.set(name, [...before, ...fresh])
  })
  return tags
}

/** The one policy that the tags ask for. */
function policyIn(tags: Map<string, string[]>): DmarcPolicy | null {
  const [policy, ...others] = tags.get("p") ?? []
  return others.length === 0 ? policyOf(policy) : null
}

function uris(list: string): string[] {
  return list.split(/[\s,;]+/).filter((uri) => uri !== "")
}

function union(list: string[]): string {
  const seen = new Set<string>()
  return list.filter((uri) => !seen.has(uri.toLowerCase()) && seen.add(uri.toLowerCase())).join(",")
}

/** Ours takes the place of an earlier one of ours: its token is the same, and the installation had another report domain. */
function withReportUri(tags: Map<string, string>, uri: string): Map<string, string> {
  const [token] = uri.toLowerCase().split("@")
  const rua = tags.get("rua") ?? ""
  if (reportUris(rua).includes(uri.toLowerCase())) return tags
  const others = uris(rua).filter((other) => !other.toLowerCase().startsWith(`${token}@`))
  return new Map(tags).set("rua", [...others, uri].join(","))
}

function written(tags: Map<string, string>): string {
  return [...tags].map(([name, value]) => `${name}=${value}`).join("; ")
}
