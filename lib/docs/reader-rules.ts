/** Whom a guide is written for: this installation, and the project of a reader who is signed in. */
export type Reader = {
  /** `BASE_URL`. */
  baseUrl: string
  /** A domain below which the simulator takes mail. */
  serviceDomain: string
  /** Whether email of the reader's region leaves the machine; for strangers, that of any region. */
  relays: boolean
  project?: { id: string; name: string; region: string }
  /** A verified domain of the project. */
  domain?: { id: string; name: string }
  /** Their other projects. */
  others?: readonly { id: string; name: string }[]
}

/** Of nobody: what the search looks through, and what the tests of the texts read. */
export const nobody: Reader = { baseUrl: "http://localhost:3000", serviceDomain: "mailroom.test", relays: false }

/** Variables of the samples, in the order in which they are set. */
const variables = ["MAILROOM", "PROJECT", "REGION", "KEY", "DOMAIN", "EMAIL"] as const
type Variable = (typeof variables)[number]

const placeholders: Record<Exclude<Variable, "MAILROOM">, readonly [value: string, where: string]> = {
  PROJECT: ["proj_…", "the project's ID, under Settings"],
  REGION: ["us-east-1", "the project's region, under Settings"],
  KEY: ["mr_live_…", "the API key"],
  DOMAIN: ["dom_…", "the ID in the response to adding a domain"],
  EMAIL: ["email_…", "the ID in the response to a send"],
}

/**
 * A guide's source for this reader. `{{origin}}`, `{{host}}`, `{{domain}}`, `{{simulator}}` and `{{recipient}}` are filled in, of `<!-- if: … -->`, `<!-- else -->` and
 * `<!-- end -->` the part that applies is left, and `<!-- variables: permissions -->` becomes the lines that set what the
 * guide's own samples do not set, with what the key must be allowed to do.
 */
export function written(source: string, reader: Reader): string {
  const left = source.replaceAll(
    /<!-- if: ([\w-]+) -->\n+([\s\S]*?)(?:<!-- else -->\n+([\s\S]*?))?<!-- end -->\n+/g,
    (_, name: string, then: string, otherwise = "") => (applies(name, reader) ? then : otherwise),
  )
  const filled = left
    .replaceAll("{{origin}}", reader.baseUrl)
    .replaceAll("{{host}}", reader.baseUrl.replace(/^https?:\/\//, ""))
    .replaceAll("{{domain}}", reader.domain?.name ?? "shop.test")
    .replaceAll("{{simulator}}", `simulator.${reader.serviceDomain}`)
    .replaceAll("{{recipient}}", reader.relays ? `delivered@simulator.${reader.serviceDomain}` : "ada@lovelace.example")
  return filled.replace(/<!-- variables: (.+?) -->/, (_, needed: string) =>
    variablesText(filled, needed.split(", "), reader),
  )
}

function applies(name: string, reader: Reader): boolean {
  return (
    { domain: reader.domain !== undefined, relay: reader.relays, "signed-in": reader.project !== undefined }[name] ??
    false
  )
}

function variablesText(source: string, needed: readonly string[], reader: Reader): string {
  const code = [...source.matchAll(/```\w*\n([\s\S]*?)\n```/g)].map(([, text]) => text).join("\n")
  const lines = variables.flatMap((name) => {
    const set = new RegExp(`^(?:export )?${name}=`, "m").test(code)
    return set || !new RegExp(`\\b${name}\\b`).test(code) ? [] : [lineOf(name, reader)]
  })
  const several = needed.length > 1
  const list = `${needed.slice(0, -1).map(codeOf).join(", ")}${several ? " and " : ""}${codeOf(needed.at(-1) ?? "")}`
  const key = `The key needs the permission${several ? "s" : ""} ${list}; **Everything** includes ${several ? "them" : "it"}${needed.join() === "emails:send" ? ", and so does **Sending**" : ", **Sending** does not"}. Create one under **API keys**.`
  return `${whoseText(reader)} ${key}\n\n<!-- run: variables -->\n\n\`\`\`sh\n${lines.join("\n")}\n\`\`\``
}

const codeOf = (text: string) => `\`${text}\``

function whoseText({ project, others = [] }: Reader): string {
  if (!project) return "Set what the samples use, in the shell in which you run them."
  const links = others.map(({ id, name }) => `[${name.replace(/[[\]()]/g, " ")}](?project=${id})`)
  const change = links.length ? ` Other projects: ${links.join(", ")}.` : ""
  return `Set what the samples use, in the shell in which you run them. These values are those of your project **${project.name.replaceAll("*", " ")}**.${change}`
}

function lineOf(name: Variable, reader: Reader): string {
  if (name === "MAILROOM") return `export MAILROOM=${reader.baseUrl}`
  const known = {
    PROJECT: reader.project?.id,
    REGION: reader.project?.region,
    DOMAIN: reader.domain?.id,
    KEY: undefined,
    EMAIL: undefined,
  }[name]
  const [value, where] = placeholders[name]
  return known ? `export ${name}=${known}` : `export ${name}=${value}  # ${where}`
}
