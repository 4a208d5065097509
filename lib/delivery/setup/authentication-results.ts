/** What a server says of one method of authentication (RFC 8601 section 2.2). */
export type MethodResult = {
  /** `spf`, `dkim`, `dmarc`, `arc` and others, in lower case. */
  method: string
  result: string
  /** In the words of the server: its reason, else its comment. */
  reason?: string
  /** By `header.d`, `smtp.mailfrom` and so on, in lower case. */
  properties: ReadonlyMap<string, string>
}

export type AuthenticationResults = {
  /** The server that says it; absent where it gives no name, as Outlook.com's does. */
  server?: string
  results: readonly MethodResult[]
}

const resultsMax = 50
const propertiesMax = 20

type Token = { kind: "word" | "quoted" | "comment" | "sign"; text: string }

/** Reads the value of a field Authentication-Results, unfolded. What is not in its form is left out. */
export function authenticationResults(value: string): AuthenticationResults {
  const [first = [], ...rest] = segmentsOf(tokensOf(value))
  const head = resultOf(first)
  const results = (head ? [first, ...rest] : rest).slice(0, resultsMax).flatMap((segment) => resultOf(segment) ?? [])
  const server = head ? undefined : first.find(({ kind }) => kind !== "comment")?.text.toLowerCase()
  return { ...(server !== undefined && server !== "" && { server }), results }
}

/** The value of Received-SPF (RFC 7208 section 9.1): a result, a comment, and pairs. */
export function receivedSpf(value: string): MethodResult | null {
  const [first, ...rest] = tokensOf(value)
  if (first?.kind !== "word") return null
  return { ...methodResult("spf", first.text, rest), properties: pairsOf(rest) }
}

/** Tags of DKIM-Signature, ARC-Seal and their like (RFC 6376 section 3.2), by name. */
export function tagsOf(value: string): ReadonlyMap<string, string> {
  const pairs = value.split(";", 100).map((part) => {
    const at = part.indexOf("=")
    return [part.slice(0, Math.max(at, 0)).trim(), part.slice(at + 1).replaceAll(/\s/g, "")] as const
  })
  return new Map(pairs.filter(([name]) => name !== ""))
}

/** `method[/version] = result`, and what follows it; null for what begins otherwise. */
function resultOf(tokens: readonly Token[]): MethodResult | null {
  const own = tokens.filter(({ kind }) => kind !== "comment")
  const at = own.findIndex(({ kind, text }) => kind === "sign" && text === "=")
  const [method, result] = [own[0], own[at + 1]]
  // A version may follow the method, as in `dkim/1`.
  const isMethod = at > 0 && own.slice(1, at).every(({ text }) => /^\/?\d*$/.test(text))
  if (!isMethod || method?.kind !== "word" || result?.kind !== "word") return null
  const rest = tokens.slice(tokens.indexOf(result) + 1)
  return { ...methodResult(method.text, result.text, rest), properties: pairsOf(rest) }
}

function methodResult(method: string, result: string, rest: readonly Token[]): Omit<MethodResult, "properties"> {
  const reason = pairsOf(rest).get("reason") ?? rest.find(({ kind }) => kind === "comment")?.text
  return {
    method: method.replace(/\/.*/, "").toLowerCase(),
    result: result.toLowerCase(),
    ...(reason !== undefined && { reason }),
  }
}

function pairsOf(tokens: readonly Token[]): ReadonlyMap<string, string> {
  const own = tokens.filter(({ kind }) => kind !== "comment")
  const pairs = new Map<string, string>()
  for (let at = 1; at < own.length - 1 && pairs.size < propertiesMax; at++) {
    const [name, sign, value] = [own[at - 1], own[at], own[at + 1]]
    if (sign?.text === "=" && sign.kind === "sign" && name?.kind === "word" && value && value.kind !== "sign")
      pairs.set(name.text.toLowerCase(), value.text)
  }
  return pairs
}

function segmentsOf(tokens: readonly Token[]): Token[][] {
  const segments: Token[][] = [[]]
  for (const token of tokens)
    if (token.kind === "sign" && token.text === ";") segments.push([])
    else segments.at(-1)?.push(token)
  return segments
}

const quotedString = /"((?:[^"\\]|\\[^])*)"?/y
const word = /[^\s;="()]+/y
/** A value that is not quoted may hold `=`, as bounce addresses do. */
const valueWord = /[^\s;"()]+/y

/** Words, quoted strings, comments with what is nested in them, and signs. */
function tokensOf(value: string): Token[] {
  const tokens: Token[] = []
  let at = 0
  while (at < value.length) {
    const char = value.charAt(at)
    if (/\s/.test(char)) at += 1
    else if (char === "(") {
      const end = commentEnd(value, at)
      tokens.push({ kind: "comment", text: value.slice(at + 1, end).trim() })
      at = end + 1
    } else if (char === '"') {
      quotedString.lastIndex = at
      const [whole = char, text = ""] = quotedString.exec(value) ?? []
      tokens.push({ kind: "quoted", text: text.replaceAll(/\\([^])/g, "$1") })
      at += whole.length
    } else {
      const isValue = tokens.at(-1)?.kind === "sign" && tokens.at(-1)?.text === "="
      const pattern = isValue ? valueWord : word
      pattern.lastIndex = at
      const [text] = pattern.exec(value) ?? []
      tokens.push(text === undefined ? { kind: "sign", text: char } : { kind: "word", text })
      at += text?.length ?? 1
    }
  }
  return tokens
}

/** Where the parenthesis that closes a comment is; the end of the text if none does. */
function commentEnd(value: string, start: number): number {
  let depth = 0
  for (let at = start; at < value.length; at++) {
    const char = value.charAt(at)
    if (char === "\\") at += 1
    else if (char === "(") depth += 1
    else if (char === ")" && --depth === 0) return at
  }
  return value.length
}
