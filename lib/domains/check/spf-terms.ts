/** A term of an SPF record (RFC 7208 4.6.1), lower case but for the target. */
export type SpfTerm = {
  qualifier: "+" | "-" | "~" | "?"
  name: "all" | "include" | "a" | "mx" | "ptr" | "ip4" | "ip6" | "exists"
  target: string
  prefix4: number
  prefix6: number
}

export type SpfRecord = { terms: SpfTerm[]; redirect?: string }

/** Null when the record breaks the grammar: receivers answer permerror then. */
export function parseSpf(text: string): SpfRecord | null {
  const [version, ...words] = text.trim().split(/ +/)
  if (version?.toLowerCase() !== "v=spf1") return null
  const record: SpfRecord = { terms: [] }
  for (const word of words) {
    const modifier = /^([a-z][a-z0-9._-]*)=(.*)$/i.exec(word)
    if (modifier) {
      if (modifier[1]?.toLowerCase() !== "redirect") continue
      if (record.redirect !== undefined || !modifier[2]) return null
      record.redirect = modifier[2]
      continue
    }
    const term = parseTerm(word)
    if (!term) return null
    record.terms.push(term)
  }
  return record
}

export function isSpf(text: string): boolean {
  return /^v=spf1( |$)/i.test(text)
}

function parseTerm(word: string): SpfTerm | null {
  const [, sign = "+", rawName = "", target, slash4, slash6] =
    /^([-+~?])?([a-z0-9]+)(?::([^/]+))?(?:\/(\d{1,3}))?(?:\/\/(\d{1,3}))?$/i.exec(word) ?? []
  const name = names.find((known) => known === rawName.toLowerCase())
  if (!name) return null
  const six = name === "ip6"
  const prefix4 = six || slash4 === undefined ? 32 : Number(slash4)
  const prefix6 = six ? Number(slash4 ?? 128) : Number(slash6 ?? 128)
  if (prefix4 > 32 || prefix6 > 128) return null
  const needsTarget = name === "include" || name === "ip4" || name === "ip6" || name === "exists"
  if (needsTarget && !target) return null
  if (name === "all" && (target !== undefined || slash4 !== undefined)) return null
  return { qualifier: sign as SpfTerm["qualifier"], name, target: target ?? "", prefix4, prefix6 }
}

const names = ["all", "include", "a", "mx", "ptr", "ip4", "ip6", "exists"] as const
