import { text } from "node:stream/consumers"
import { parseArgs } from "node:util"
import { personAddress } from "@/lib/addresses/address"
import { permissions, type Permission } from "@/lib/access/permissions"
import { passwordLength } from "@/lib/access/rules"
import { decodeId } from "@/lib/platform/ids"
import { regionNames, type Region } from "@/lib/regions/regions"

/** A command that failed: printed as `{"error":{"code","detail"}}`. */
export class Refusal extends Error {
  constructor(
    readonly code: string,
    detail: string,
  ) {
    super(detail)
    this.name = "Refusal"
  }
}

/** The values of the flags, each of which must be given unless it ends with `?`. @throws Refusal admin.usage */
export function flags(args: string[], ...names: string[]): Record<string, string> {
  const wanted = names.map((name) => name.replace("?", ""))
  const options = Object.fromEntries(wanted.map((name) => [name, { type: "string" as const }]))
  const values = parsed(args, options)
  const missing = names.filter((name) => !name.endsWith("?") && !values[name])
  if (missing.length) throw usage(`Missing: ${missing.map((name) => `--${name}`).join(", ")}.`)
  return values
}

function parsed(args: string[], options: Record<string, { type: "string" }>): Record<string, string> {
  try {
    return { ...(parseArgs({ args, options, strict: true, allowPositionals: false }).values as Record<string, string>) }
  } catch (error) {
    throw usage((error as Error).message)
  }
}

export function projectArgument(value = ""): string {
  const id = decodeId("proj", value)
  if (!id) throw new Refusal("project.not_found", `"${value}" is not a project id (proj_…).`)
  return id
}

export function organizationArgument(value = ""): string {
  const id = decodeId("org", value)
  if (!id) throw new Refusal("organization.not_found", `"${value}" is not an organization id (org_…).`)
  return id
}

export function regionArgument(value = ""): Region {
  const region = regionNames.find((name) => name === value)
  if (!region) throw usage(`--region is one of ${regionNames.join(", ")}.`)
  return region
}

export function permissionsArgument(value = ""): Permission[] {
  if (value === "all") return [...permissions]
  const wanted = value.split(",").map((name) => name.trim())
  const found = permissions.filter((permission) => wanted.includes(permission))
  const unknown = wanted.filter((name) => !found.some((permission) => permission === name))
  if (unknown.length)
    throw usage(`Unknown permission ${unknown.join(", ")}; there are ${permissions.join(", ")}, or "all".`)
  return found
}

export function emailArgument(value = ""): string {
  const email = personAddress(value)
  if (!email) throw usage(`"${value}" is not an email address.`)
  return email
}

/** Shorter than the dashboard allows, for test installations. */
const operatorMin = 8

/** The given password, or the one on stdin for `-`, so that no process list shows it. */
export async function passwordArgument(value = ""): Promise<string> {
  const password = value === "-" ? (await text(process.stdin)).replace(/\r?\n$/, "") : value
  const { max } = passwordLength
  if (password.length < operatorMin || password.length > max) {
    throw usage(
      `The password must have ${operatorMin} to ${max} characters; the dashboard asks for ${passwordLength.min}.`,
    )
  }
  return password
}

export function nameArgument(value = ""): string {
  const name = value.trim()
  if (!name || name.length > 100) throw usage("A name has 1 to 100 characters.")
  return name
}

export function countArgument(value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  if (!/^[1-9][0-9]{0,8}$/.test(value)) throw usage("A limit is a whole number from 1 to 999999999.")
  return Number(value)
}

export function usage(detail: string): Refusal {
  return new Refusal("admin.usage", detail)
}
