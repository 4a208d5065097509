import { addOperatorAudit } from "@/lib/access/audit-store"
import { mintKey } from "@/lib/access/credentials/keys"
import { hashPassword } from "@/lib/access/credentials/passwords"
import { findPerson } from "@/lib/access/people/people-store"
import { permissions, type Permission } from "@/lib/access/permissions"
import { newSignInLink } from "@/lib/access/credentials/sign-in-links"
import { listUndeliveredMail } from "@/lib/access/system-mail/undelivered-mail-store"
import { addKey } from "@/lib/api-keys/live-sql"
import { serviceKey, serviceKeyName, serviceKeyRecord } from "@/lib/domains/service-key-store"
import { systemClock } from "@/lib/platform/clock"
import { transaction, type Queryable } from "@/lib/platform/database/db"
import { sqlState } from "@/lib/platform/database/sql-errors"
import { encodeId } from "@/lib/platform/ids"
import { systemRandom } from "@/lib/platform/io"
import { organizationOfProject } from "@/lib/projects/operator-store"
import { slugOf } from "@/lib/projects/rules"
import * as projects from "@/lib/projects/store"
import {
  countArgument,
  emailArgument,
  flags,
  nameArgument,
  organizationArgument,
  passwordArgument,
  permissionsArgument,
  projectArgument,
  Refusal,
  regionArgument,
  usage,
} from "@/lib/cli/admin-arguments"

type Answer = Record<string, unknown>

/** Reads the arguments, and returns what to do once the database is there. */
type Command = (args: string[]) => Promise<() => Promise<Answer>> | (() => Promise<Answer>)

/** The operator's commands by name. No project's limit binds them; each is in the audit log. */
export const adminCommands: Record<string, Command | undefined> = {
  bootstrap,
  "create-key": createKey,
  "create-project": createProject,
  "set-limits": setLimits,
  entitle,
  "sign-in-link": signInLink,
  "service-dns": serviceDns,
  "undelivered-mail": undeliveredMail,
}

async function bootstrap(args: string[]) {
  const given = flags(args, "email", "password", "organization", "project", "region")
  const [email, organization, name] = [
    emailArgument(given.email),
    nameArgument(given.organization),
    nameArgument(given.project),
  ]
  const region = regionArgument(given.region)
  const password = await passwordArgument(given.password)

  return async () => {
    const passwordHash = await hashPassword(password)
    return transaction(async (client) => {
      const project = { name, slug: slugOf(name), region }
      const founded = await projects.found({ email, passwordHash, organization, project }, client)
      if (!founded) throw new Refusal("user.already_exists", `${email} has an account already.`)
      const { organizationId, projectId } = founded
      await addOperatorAudit({ organizationId, projectId }, { action: "installation.bootstrapped" }, client)
      const key = await issue(founded, { name: "bootstrap", granted: permissions }, client)
      return { organizationId: encodeId("org", organizationId), projectId: encodeId("proj", projectId), ...key }
    })
  }
}

function createKey(args: string[]) {
  const given = flags(args, "project", "permissions", "name?")
  const projectId = projectArgument(given.project)
  const granted = permissionsArgument(given.permissions)
  const name = given.name ? nameArgument(given.name) : "made by the operator"

  return () =>
    transaction(async (client) => {
      const organizationId = await organizationOfProject(projectId, client)
      if (!organizationId) throw noProject()
      return issue({ organizationId, projectId }, { name, granted }, client)
    })
}

async function issue(
  at: { organizationId: string; projectId: string },
  { name, granted }: { name: string; granted: readonly Permission[] },
  client: Queryable,
) {
  const key = mintKey(systemRandom)
  const keyId = encodeId("key", await addKey({ projectId: at.projectId, name, permissions: granted }, key, client))
  const changes = { name, permissions: granted, start: key.start }
  const { organizationId, projectId } = at
  await addOperatorAudit({ organizationId, projectId }, { action: "api_key.created", target: keyId, changes }, client)
  return { keyId, apiKey: key.secret }
}

function createProject(args: string[]) {
  const given = flags(args, "organization", "name", "region")
  const organizationId = organizationArgument(given.organization)
  const [name, region] = [nameArgument(given.name), regionArgument(given.region)]

  return () =>
    transaction(async (client) => {
      const projectId = await addWithFreeSlug({ organizationId, name, region }, client)
      const target = encodeId("proj", projectId)
      await addOperatorAudit(
        { organizationId, projectId },
        { action: "project.created", target, changes: { name, region } },
        client,
      )
      return { projectId: target }
    })
}

/** The name's slug, or the first of slug-2, slug-3 … that the organization does not have yet. */
async function addWithFreeSlug(
  plan: { organizationId: string; name: string; region: string },
  client: Queryable,
): Promise<string> {
  const slug = slugOf(plan.name)
  for (let turn = 1; turn <= 10_000; turn++) {
    const added = await add({ ...plan, slug: turn === 1 ? slug : `${slug.slice(0, 44)}-${turn}` }, client)
    if (added) return added
  }
  throw new Refusal("project.slug_taken", `The organization has too many projects called ${plan.name}.`)
}

async function add(plan: projects.ProjectPlan, client: Queryable): Promise<string | null> {
  try {
    return await projects.addProject(plan, client)
  } catch (error) {
    if (sqlState(error) === FOREIGN_KEY_VIOLATION) throw noOrganization()
    throw error
  }
}

const FOREIGN_KEY_VIOLATION = "23503"

function setLimits(args: string[]) {
  const given = flags(args, "project", "per-second?", "per-day?")
  const projectId = projectArgument(given.project)
  const [perSecond, perDay] = [countArgument(given["per-second"]), countArgument(given["per-day"])]
  if (perSecond === undefined && perDay === undefined) throw usage("Give --per-second, --per-day or both.")

  return async () => {
    const limits = { ...(perSecond && { perSecond }), ...(perDay && { perDay }) }
    if (!(await projects.setLimits(projectId, limits))) throw noProject()
    const organizationId = await organizationOfProject(projectId)
    const target = encodeId("proj", projectId)
    if (organizationId)
      await addOperatorAudit({ organizationId, projectId }, { action: "project.limits_set", target, changes: limits })
    return { projectId: target, ...limits }
  }
}

function entitle(args: string[]) {
  const given = flags(args, "organization", "multi-region")
  const organizationId = organizationArgument(given.organization)
  const wanted = given["multi-region"]
  if (wanted !== "true" && wanted !== "false") throw usage("--multi-region is true or false.")

  return async () => {
    const multiRegion = wanted === "true"
    if (!(await projects.entitle(organizationId, multiRegion))) throw noOrganization()
    const target = encodeId("org", organizationId)
    await addOperatorAudit({ organizationId }, { action: "organization.entitled", target, changes: { multiRegion } })
    return { organizationId: target, multiRegion }
  }
}

function signInLink(args: string[]) {
  const email = emailArgument(flags(args, "email").email)
  return async () => {
    const person = await findPerson(email)
    if (!person) throw new Refusal("user.not_found", `${email} has no account.`)
    const { url, expiresAt } = await newSignInLink(person.id, { clock: systemClock, random: systemRandom })
    return { url, expiresAt: expiresAt.toISOString() }
  }
}

/** The records of the service domain that hold a value of this installation. */
function serviceDns(args: string[]) {
  flags(args)
  return async () => {
    const { domain, publicKey } = await serviceKey()
    return {
      records: [{ purpose: "dkim", type: "TXT", name: serviceKeyName(domain), value: serviceKeyRecord(publicKey) }],
    }
  }
}

function undeliveredMail(args: string[]) {
  flags(args)
  return async () => ({ mails: await listUndeliveredMail() })
}

function noProject(): Refusal {
  return new Refusal("project.not_found", "There is no such project.")
}

function noOrganization(): Refusal {
  return new Refusal("organization.not_found", "There is no such organization.")
}
