/** Whom a guide is written for: this installation, and the project of a reader who is signed in. */
export type Reader = {
  /** `BASE_URL`. */
  baseUrl: string
  /** Where programs hand in email by SMTP: with STARTTLS, and with TLS from the first byte. */
  submission: { port: number; tlsPort: number }
  /** Where mail servers hand over returned and inbound mail. */
  inboundPort: number
  /** A domain below which the simulator takes mail. */
  serviceDomain: string
  /** Whether a name server of this installation answers for domains under `.test`. */
  testDomains: boolean
  /** Whether email of the reader's region leaves the machine; for strangers, that of any region. */
  relays: boolean
  project?: { id: string; name: string; region: string }
  /** A verified domain of the project. */
  domain?: { id: string; name: string }
  /** The project's keys that work. */
  keys?: readonly { name: string; permissions: readonly string[] }[]
}

/** Of nobody: what the search looks through, and what the tests of the texts read. */
export const nobody: Reader = {
  baseUrl: "http://localhost:3000",
  submission: { port: 2587, tlsPort: 2465 },
  inboundPort: 2526,
  serviceDomain: "mailroom.test",
  testDomains: true,
  relays: false,
}

/** Variables that a reader sets, in this order, unless the sample has the value itself. */
const placeholders = {
  PROJECT: ["proj_…", "the project's ID, under Settings"],
  REGION: ["us-east-1", "the project's region, under Settings"],
  KEY: ["mr_live_…", "the API key"],
  DOMAIN: ["dom_…", "the ID in the response to adding a domain"],
  EMAIL: ["email_…", "the ID in the response to a send"],
} as const

/**
 * A guide's source for this reader. `{{origin}}`, `{{host}}`, `{{https}}`, `{{smtpPort}}`, `{{smtpTlsPort}}`, `{{inboundPort}}`, `{{domain}}`, `{{simulator}}` and `{{recipient}}` are filled in, of `<!-- if: … -->`, `<!-- else -->` and
 * `<!-- end -->` the part that applies is left, samples have the values that are known in place of their variables, and
 * `<!-- variables: permissions -->` becomes the lines that set the others, with what the key must be allowed to do.
 */
export function written(source: string, reader: Reader): string {
  const filled = partsFor(source, reader)
    .replaceAll("{{origin}}", reader.baseUrl)
    .replaceAll("{{host}}", reader.baseUrl.replace(/^https?:\/\//, ""))
    .replaceAll("{{https}}", String(reader.baseUrl.startsWith("https:")))
    .replaceAll("{{smtpPort}}", String(reader.submission.port))
    .replaceAll("{{smtpTlsPort}}", String(reader.submission.tlsPort))
    .replaceAll("{{inboundPort}}", String(reader.inboundPort))
    .replaceAll("{{domain}}", reader.domain?.name ?? (reader.testDomains ? "shop.test" : "shop.example"))
    .replaceAll("{{simulator}}", `simulator.${reader.serviceDomain}`)
    .replaceAll("{{recipient}}", reader.relays ? `delivered@simulator.${reader.serviceDomain}` : "ada@lovelace.example")
  const known = {
    MAILROOM: reader.baseUrl,
    PROJECT: reader.project?.id,
    REGION: reader.project?.region,
    DOMAIN: reader.domain?.id,
  }
  const withValues = withKnownValues(filled, known)
  return withValues.replace(variables, (_, needed: string) => variablesText(withValues, needed.split(", "), reader))
}

/** What the key of a reader must be allowed to do for the samples that this reader gets. */
export function permissionsFor(source: string, reader: Reader): string[] {
  return variables.exec(partsFor(source, reader))?.[1]?.split(", ") ?? []
}

const variables = /<!-- variables: (.+?) -->/

function partsFor(source: string, reader: Reader): string {
  return source.replaceAll(
    /<!-- if: ([\w-]+) -->\n+([\s\S]*?)(?:<!-- else -->\n+([\s\S]*?))?<!-- end -->\n+/g,
    (_, name: string, then: string, otherwise = "") => (applies(name, reader) ? then : otherwise),
  )
}

function applies(name: string, { domain, project, relays, testDomains }: Reader): boolean {
  const conditions: Record<string, boolean> = {
    ...{ domain: domain !== undefined, relay: relays, "signed-in": project !== undefined, "test-domains": testDomains },
    "new-test-domain": domain === undefined && testDomains,
    "new-own-domain": domain === undefined && !testDomains,
  }
  return conditions[name] ?? false
}

function variablesText(source: string, needed: readonly string[], reader: Reader): string {
  const code = [...source.matchAll(/```\w*\n([\s\S]*?)\n```/g)].map(([, text]) => text).join("\n")
  const lines = Object.entries(placeholders).flatMap(([name, [value, where]]) => {
    const set = new RegExp(`^(?:export )?${name}=`, "m").test(code)
    return set || !new RegExp(`\\b${name}\\b`).test(code) ? [] : [`export ${name}=${value}  # ${where}`]
  })
  return `${whoseText(reader)} ${keyText(needed, reader)}\n\n<!-- run: variables -->\n\n\`\`\`sh\n${lines.join("\n")}\n\`\`\``
}

function whoseText({ project, domain }: Reader): string {
  if (!project) return "Set what the samples use, in the shell in which you run them."
  const sender = domain ? ` and its domain **${domain.name}**` : ""
  return `The samples are written for your project **${plainName(project.name)}**${sender}. Set the rest in the shell in which you run them.`
}

/** What the key must be allowed to do, and which keys of the reader's project are. */
function keyText(needed: readonly string[], { project, keys }: Reader): string {
  const several = needed.length > 1
  const [all, them] = [listOf(needed.map(codeOf)), several ? "them" : "it"]
  if (!project || !keys) {
    const sending = needed.join() === "emails:send" ? ", and so does **Sending**" : ", **Sending** does not"
    return `The key needs the permission${several ? "s" : ""} ${all}; **Everything** includes ${them}${sending}. Create one under **API keys**.`
  }
  const page = `/projects/${project.id}/api-keys`
  const able = keys.filter(({ permissions }) => needed.every((one) => permissions.includes(one)))
  if (able.length === 0) return `They need a key with ${all}. No key of the project has ${them}: [create one](${page}).`
  const shown = able.slice(0, keysNamed).map(({ name }) => `**${plainName(name)}**`)
  const others = able.length - shown.length
  const names = listOf(others > 0 ? [...shown, `${others} more`] : shown)
  return `They need a key with ${all}; ${names} ${able.length > 1 ? "have" : "has"} ${them}. A key is shown only when it is made: [create one](${page}) if you do not have it.`
}

/** So many keys are named. */
const keysNamed = 3

const codeOf = (text: string) => `\`${text}\``

/** A name that people gave, without what would mark it up. */
function plainName(name: string): string {
  return name.replace(/[[\]()*`]/g, " ")
}

function listOf(words: readonly string[]): string {
  return words.length > 1 ? `${words.slice(0, -1).join(", ")} and ${words.at(-1)}` : (words[0] ?? "")
}

/** A variable that samples read, and what it is where that is known. */
type KnownValues = Readonly<Record<string, string | undefined>>

/** The samples of a text with what is known in place of the variables that they would read. */
function withKnownValues(text: string, known: KnownValues): string {
  return text.replaceAll(/```(\w+)\n([\s\S]*?)\n```/g, (_, lang: string, code: string) => {
    const filled = Object.entries(known).reduce(
      (sample, [name, value]) => (value === undefined ? sample : (fillers[lang] ?? unchanged)(sample, name, value)),
      code,
    )
    return `\`\`\`${lang}\n${filled}\n\`\`\``
  })
}

type Filler = (code: string, name: string, value: string) => string

const unchanged: Filler = (code) => code

const fillers: Record<string, Filler> = {
  sh: (code, name, value) =>
    code.replaceAll(`'"$${name}"'`, value).replaceAll(new RegExp(`\\$${name}\\b`, "g"), () => value),

  // A template in which no variable is left is an ordinary string.
  ts: (code, name, value) =>
    code
      .replaceAll(`\${${name}}`, value)
      .replaceAll(/`([^`\n]*)`/g, (template, text: string) => (/[$"\\]/.test(text) ? template : `"${text}"`))
      .replace(/^const \{ (.+) \} = process\.env$/m, (_, names: string) => {
        const left = names.split(", ").filter((one) => one.split(" ")[0] !== name)
        return `const { ${left.join(", ")} } = process.env`
      })
      .replaceAll(new RegExp(`: ${name}\\b`, "g"), () => `: "${value}"`),

  python: (code, name, value) =>
    code.replaceAll(`os.environ["${name}"] + "`, `"${value}`).replaceAll(`os.environ["${name}"]`, `"${value}"`),
}
