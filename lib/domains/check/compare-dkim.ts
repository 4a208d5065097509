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
    return invalid(values, "quoted", "The value contains quotation marks.", "Paste the value without quotation marks.")
  }
  if (value.includes("\\;")) {
    return invalid(
      values,
      "escaped-semicolon",
      "The value has a backslash before its semicolons, which receivers read as part of the value.",
      "Paste the value without backslashes.",
    )
  }
  if (isTail(value, publicKey)) return withoutBeginning(values)
  const tags = parseTags(value, { exact: true })
  const p = tags?.get("p")?.replace(/\s+/g, "")
  if (!tags || p === undefined || (tags.get("v") ?? "DKIM1") !== "DKIM1") {
    return invalid(values, "other-value", "The TXT record found is not a DKIM key.", "Replace it with the value shown.")
  }
  if (p === "") {
    return invalid(
      values,
      "revoked-key",
      "The record has an empty key, which means that the key is revoked.",
      "Publish the value shown.",
    )
  }
  if (p !== publicKey) return otherKey(values, p, key)
  if ((tags.get("k") ?? "rsa").toLowerCase() !== "rsa") {
    return invalid(
      values,
      "other-value",
      `The record has the key type ${tags.get("k")}; ours is rsa.`,
      "Publish the value shown.",
    )
  }
  if ((tags.get("t") ?? "").split(":").some((flag) => flag.trim() === "y")) {
    return invalid(
      values,
      "testing-flag",
      "The record says t=y: receivers treat mail signed with a key under test as unsigned.",
      "Remove t=y from the value.",
    )
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
    return invalid(
      values,
      "dkim-version-order",
      "The record has v=DKIM1 behind other tags; receivers accept it only as the first.",
      "Move v=DKIM1 to the beginning, or publish the value shown.",
    )
  }
  if (hashes && !hashes.includes("sha256")) {
    return invalid(
      values,
      "dkim-hash",
      `The record allows only h=${tags.get("h")}, and mail is signed with sha256.`,
      "Remove h= from the value, or publish the value shown.",
    )
  }
  if (services && !services.includes("email") && !services.includes("*")) {
    return invalid(
      values,
      "dkim-service",
      `The record allows the key only for s=${tags.get("s")}, not for email.`,
      "Remove s= from the value, or publish the value shown.",
    )
  }
  return null
}

function several(values: string[], name: string, publicKey: string): Finding {
  const bare = values.map((value) => value.replace(/[\s"]+/g, ""))
  const pieces =
    bare.length === 2 && [bare.join(""), bare.toReversed().join("")].some((text) => text.includes(publicKey))
  if (pieces && !bare.some((text) => text.includes(publicKey))) {
    return invalid(
      values,
      "split-records",
      "The value was published in pieces, as several TXT records.",
      "Publish one TXT record that holds the whole value.",
    )
  }
  return invalid(
    values,
    "several-records",
    `${values.length} TXT records found at ${name}; receivers accept exactly one.`,
    "Delete all but the value shown.",
  )
}

/** The second half of a long value, published without the first. */
function isTail(value: string, publicKey: string): boolean {
  const text = value.replace(/[\s";]+/g, "")
  return text.length >= 16 && text.length < publicKey.length && publicKey.endsWith(text)
}

function withoutBeginning(values: string[]): Finding {
  return invalid(
    values,
    "truncated",
    "Only the end of the value is published; its first part is missing.",
    "Paste the whole value; providers that limit a text to 255 characters take it in several quoted parts of one record.",
  )
}

function otherKey(values: string[], p: string, { publicKey, retired }: PublishedKey): Finding {
  if (retired && p === retired.publicKey) {
    return invalid(
      values,
      "retired-key",
      "The retired key is still published: mail in transit is verified with it.",
      `Keep it until ${retired.keepUntil.slice(0, 10)}, then replace it with the value shown.`,
    )
  }
  if (publicKey.includes(p)) {
    return invalid(
      values,
      "truncated",
      `Only ${p.length} of the key's ${publicKey.length} characters are published.`,
      "Paste the whole value; providers that limit a text to 255 characters take it in several quoted parts of one record.",
    )
  }
  return invalid(values, "other-key", "Another key is published at this name.", "Replace it with the value shown.")
}
