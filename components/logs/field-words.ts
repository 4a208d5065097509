const abbreviations = "API BIMI CSV DKIM DMARC DNS HTML HTTP HTTPS ID IP MX SMTP SPF TLS URL VMC".split(" ")

const units: Record<string, string> = { Ms: "ms", Seconds: "s", Minutes: "min", Hours: "h", Days: "days" }

/** Names whose own words would mislead, or that email writes in another way. */
const otherWords: Record<string, string> = {
  accepted24h: "Accepted (24 h)",
  avgDailyAccepted7d: "Accepted a day (average of 7 days)",
  mailFromDomain: "MAIL FROM domain",
  dailySends: "Sends a day",
  perDay: "Sends a day",
  perSecond: "Sends a second",
  perSecondSends: "Sends a second",
  start: "Key starts with",
  unsubRate: "Unsubscribe rate",
}

/** A field of the API in words: `defaultLifetimeSeconds` is "Default lifetime (s)". */
export function fieldWords(name: string): string {
  const known = otherWords[name]
  if (known) return known
  const words = name.split(/_|(?<=[a-z\d])(?=[A-Z])/)
  const unit = words.length > 1 ? units[words.at(-1) ?? ""] : undefined
  const text = (unit ? words.slice(0, -1) : words).map(wordOf).join(" ")
  return text.charAt(0).toUpperCase() + text.slice(1) + (unit ? ` (${unit})` : "")
}

function wordOf(word: string): string {
  const upper = word.toUpperCase()
  if (abbreviations.includes(upper)) return upper
  const singular = upper.replace(/S$/, "")
  return abbreviations.includes(singular) ? `${singular}s` : word.toLowerCase()
}
