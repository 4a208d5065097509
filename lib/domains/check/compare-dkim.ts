import type { Dns } from "@/lib/platform/dns/types"
import {
  failedLookup,
  type Finding,
  invalid,
  missingAt,
  type RecordLocation,
  valid,
} from "@/lib/domains/check/findings"
import { parseTags } from "@/lib/domains/records/tags"

/** Base64 of the SPKI DER; `retired`: the key before it under the same selector, whose TXT has to stay until that day. */
export type PublishedKey = { publicKey: string; retired?: { publicKey: string; keepUntil: string } }

/**
 * Is this public key published, exactly once? Compared by the parsed tags: white space, the order of tags and tags
 * that we do not set make no difference (RFC 6376 3.6.1).
 */
export async function compareDkim(dns: Dns, place: RecordLocation, key: PublishedKey): Promise<Finding> {
  const { publicKey } = key
  const answer = await dns.txt(place.name)
  if (answer.kind === "error") return failedLookup(answer.reason, place.name)
  if (answer.kind === "found") return judge(answer.values, place.name, key)
  return missingAt(dns, place, async (name) => {
    const other = await dns.txt(name)
    return other.kind === "found" ? other.values.filter((value) => value.includes(publicKey)) : []
  })
}

function judge(values: string[], name: string, key: PublishedKey): Finding {
  const { publicKey } = key
  const [value = ""] = values
  if (values.length > 1) return several(values, name, publicKey)
  // A record that would be right but for how it was typed: name the typing before the tags it breaks.
  if (/^\s*["'“”]|["'“”]\s*$/.test(value)) {
    return invalid(values, { code: "quoted", facts: {} })
  }
  if (value.includes("\\;")) {
    return invalid(values, { code: "escaped-semicolon", facts: {} })
  }
  if (isTail(value, publicKey)) return withoutBeginning(values)
  const tags = parseTags(value, { exact: true })
  const p = tags?.get("p")?.replace(/\s+/g, "")
  if (!tags || p === undefined || (tags.get("v") ?? "DKIM1") !== "DKIM1") {
    return invalid(values, { code: "other-value", facts: { is: "no-dkim-key" } })
  }
  if (p === "") {
    return invalid(values, { code: "revoked-key", facts: {} })
  }
  if (p !== publicKey) return otherKey(values, p, key)
  if ((tags.get("k") ?? "rsa").toLowerCase() !== "rsa") {
    return invalid(values, { code: "other-value", facts: { is: "key-type", type: tags.get("k") ?? "" } })
  }
  if ((tags.get("t") ?? "").split(":").some((flag) => flag.trim() === "y")) {
    return invalid(values, { code: "testing-flag", facts: {} })
  }
  return unusable(values, tags) ?? valid(values)
}

/** The key is ours, and a tag beside it keeps receivers from using it (RFC 6376 3.6.1); null where none does. */
function unusable(values: string[], tags: Map<string, string>): Finding | null {
  const listed = (tag: string) =>
    tags
      .get(tag)
      ?.split(":")
      .map((part) => part.trim().toLowerCase())
  const [hashes, services] = [listed("h"), listed("s")]
  if (tags.has("v") && [...tags.keys()][0] !== "v") {
    return invalid(values, { code: "dkim-version-order", facts: {} })
  }
  if (hashes && !hashes.includes("sha256")) {
    return invalid(values, { code: "dkim-hash", facts: { allowed: tags.get("h") ?? "" } })
  }
  if (services && !services.includes("email") && !services.includes("*")) {
    return invalid(values, { code: "dkim-service", facts: { allowed: tags.get("s") ?? "" } })
  }
  return null
}

function several(values: string[], name: string, publicKey: string): Finding {
  const bare = values.map((value) => value.replace(/[\s"]+/g, ""))
  const pieces =
    bare.length === 2 && [bare.join(""), bare.toReversed().join("")].some((text) => text.includes(publicKey))
  if (pieces && !bare.some((text) => text.includes(publicKey))) {
    return invalid(values, { code: "split-records", facts: {} })
  }
  return invalid(values, { code: "several-records", facts: { kind: "DKIM", count: values.length, name } })
}

/** The second half of a long value, published without the first. */
function isTail(value: string, publicKey: string): boolean {
  const text = value.replace(/[\s";]+/g, "")
  return text.length >= 16 && text.length < publicKey.length && publicKey.endsWith(text)
}

function withoutBeginning(values: string[]): Finding {
  return invalid(values, { code: "truncated", facts: {} })
}

function otherKey(values: string[], p: string, { publicKey, retired }: PublishedKey): Finding {
  if (retired && p === retired.publicKey) {
    return invalid(values, { code: "retired-key", facts: { keepUntil: retired.keepUntil } })
  }
  if (publicKey.includes(p)) {
    return invalid(values, { code: "truncated", facts: { characters: p.length, of: publicKey.length } })
  }
  return invalid(values, { code: "other-key", facts: {} })
}
