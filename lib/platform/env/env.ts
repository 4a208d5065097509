import { z } from "zod"
import { SecretKey } from "@/lib/platform/env/fields"
import { settingsOf, type Settings } from "@/lib/platform/env/settings"

export type { GroupRole, IdentityProvider, OidcProvider } from "@/lib/platform/env/settings"

/** Everything that the operator can set: the whole configuration of a process. */
export type Env = Omit<Settings, "databaseUrl" | "secretKey"> & {
  databaseUrl: string
  /** 32 bytes. */
  secretKey: Buffer
}

/** Thrown at start; `faults` has a sentence for every invalid variable. */
export class EnvInvalid extends Error {
  constructor(readonly faults: string[]) {
    super(["The configuration is invalid:", ...faults.map((fault) => `  - ${fault}`)].join("\n"))
    this.name = "EnvInvalid"
  }
}

/**
 * The configuration, read from the environment and checked once, on the first call.
 * @throws EnvInvalid with every fault at once
 */
export function env(): Env {
  known ??= parseEnv(process.env)
  return known
}

/**
 * Settings that belong to an area, or what is made from settings: from the same environment on the first call, and again after
 * `provideEnv`.
 * Name their schema to `launchSettings` too, so that a start reports their faults with all others.
 */
export function areaSettings<T>(parse: (variables: Variables, env: Env) => T): () => T {
  let read: { env: Env; settings: T } | undefined
  return () => {
    const current = env()
    if (read?.env !== current) read = { env: current, settings: parse(process.env, current) }
    return read.settings
  }
}

/**
 * What the launcher reads before it has a database: DATABASE_URL and SECRET_KEY may still be unset.
 * @throws EnvInvalid with every fault at once, those of `areas` too
 */
export function launchSettings(areas: readonly z.ZodType[]): Settings {
  return parseSettings(process.env, { areas })
}

/** Adds what the launcher found or created (embedded database, generated key); `env()` reads it from then on. */
export function provideEnv(found: Record<string, string | undefined>) {
  for (const [name, value] of Object.entries(found)) {
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  }
  known = undefined
}

/** The 32 bytes of a key as the operator writes it. @throws when it is none */
export function secretKeyOf(text: string): Buffer {
  return SecretKey.parse(text)
}

export function isSecretKey(text: string): boolean {
  return SecretKey.safeParse(text).success
}

/** Unchecked, because a process with an invalid configuration must still be able to log that. */
export function logLevelAsGiven(): string {
  const given = process.env.LOG_LEVEL ?? ""
  return levels.includes(given) ? given : "info"
}

export function parseEnv(variables: Variables): Env {
  const faults: string[] = []
  if (!variables.DATABASE_URL)
    faults.push(
      "DATABASE_URL is not set: start this through the commands of package.json, which provide the embedded database.",
    )
  if (!variables.SECRET_KEY && !variables.DATABASE_URL) faults.push("SECRET_KEY is not set.")
  const { databaseUrl, secretKey, ...rest } = parseSettings(variables, { faults })
  if (databaseUrl === undefined || secretKey === undefined) throw new EnvInvalid(faults)
  return { ...rest, databaseUrl, secretKey }
}

export function parseSettings(
  variables: Variables,
  { faults = [], areas = [] }: { faults?: string[]; areas?: readonly z.ZodType[] } = {},
): Settings {
  const all = [...faults, ...areas.flatMap((area) => faultsOf(area.safeParse(givenOf(variables))))]
  const parsed = settingsOf(givenOf(variables))
  if (parsed.success && all.length === 0) return parsed.data
  throw new EnvInvalid([...all, ...faultsOf(parsed)])
}

/** @throws EnvInvalid with every fault at once */
export function parseVariables<T>(variables: Variables, schema: z.ZodType<T>): T {
  const parsed = schema.safeParse(givenOf(variables))
  if (!parsed.success) throw new EnvInvalid(faultsOf(parsed))
  return parsed.data
}

type Variables = Record<string, string | undefined>

const levels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"]
let known: Env | undefined

/** Shells, compose files and CI forms leave unset variables empty. */
function givenOf(variables: Variables): Record<string, unknown> {
  return Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== undefined && value !== ""))
}

function faultsOf({ error }: z.ZodSafeParseResult<unknown>): string[] {
  return error?.issues.map(sentence) ?? []
}

function sentence(issue: z.core.$ZodIssue): string {
  return issue.path.length > 0 ? `${issue.path.join(".")}: ${issue.message}` : issue.message
}
