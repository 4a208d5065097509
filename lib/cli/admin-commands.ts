import { addOperatorAudit } from "@/lib/access/audit-store"
import { mintKey } from "@/lib/access/credentials/keys"
import { hashPassword } from "@/lib/access/credentials/passwords"
import { entitle as entitleOrganization } from "@/lib/access/people/organization-store"
import { findPerson } from "@/lib/access/people/people-store"
import { permissions, type Permission } from "@/lib/access/permissions"
import { newSignInLink } from "@/lib/access/credentials/sign-in-links"
import { listUndeliveredMail } from "@/lib/access/system-mail/store"
import { addKey } from "@/lib/api-keys/store"
import { serviceKey, serviceKeyName, serviceKeyRecord } from "@/lib/domains/service-key-store"
import { systemClock } from "@/lib/platform/clock"
import { unscopedTransaction } from "@/lib/platform/database/db"
import { db } from "@/lib/platform/database/scoped-db"
import { FOREIGN_KEY_VIOLATION, sqlState } from "@/lib/platform/database/sql-errors"
import { encodeId } from "@/lib/platform/ids"
import { systemRandom } from "@/lib/platform/io"
import { addProject, foundIn, type ProjectPlan } from "@/lib/projects/creation-store"
import { setLimits as setProjectLimits } from "@/lib/projects/limits-store"
import { slugOf } from "@/lib/projects/rules"
import { organizationOf } from "@/lib/projects/store"
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
import type { Prisma } from "@/prisma/generated/client"

type Tx = Prisma.TransactionClient

type Answer = Record<string, unknown>

/** Reads the arguments, and returns what to do once the database is ready. */
type Command = (args: string[]) => Promise<() => Promise<Answer>> | (() => Promise<Answer>)

/** The operator's commands by name. They ignore the limits of projects; each is in the audit log. */
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
    return unscopedTransaction(async (tx) => {
      const project = { name, slug: slugOf(name), region }
      const founded = await foundIn({ email, passwordHash, organization, project }, tx)
      if (!founded) throw new Refusal("user.already_exists", `${email} has an account already.`)
      const { organizationId, projectId } = founded
      await addOperatorAudit({ organizationId, projectId }, { action: "installation.bootstrapped" }, tx)
      const key = await issue(founded, { name: "bootstrap", granted: permissions }, tx)
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
    unscopedTransaction(async (tx) => {
      const organizationId = await organizationOf(projectId, tx)
      if (!organizationId) throw noProject()
      return issue({ organizationId, projectId }, { name, granted }, tx)
    })
}

async function issue(
  at: { organizationId: string; projectId: string },
  { name, granted }: { name: string; granted: readonly Permission[] },
  tx: Tx,
) {
  const key = mintKey(systemRandom)
  const inProject = db({ project: { id: at.projectId } }, tx)
  const keyId = encodeId("key", await addKey({ projectId: at.projectId, name, permissions: granted }, key, inProject))
  const changes = { name, permissions: granted, start: key.start }
  const { organizationId, projectId } = at
  await addOperatorAudit({ organizationId, projectId }, { action: "api_key.created", target: keyId, changes }, tx)
  return { keyId, apiKey: key.secret }
}

function createProject(args: string[]) {
  const given = flags(args, "organization", "name", "region")
  const organizationId = organizationArgument(given.organization)
  const [name, region] = [nameArgument(given.name), regionArgument(given.region)]

  return () =>
    unscopedTransaction(async (tx) => {
      const projectId = await addWithFreeSlug({ organizationId, name, region }, tx)
      const target = encodeId("proj", projectId)
      await addOperatorAudit(
        { organizationId, projectId },
        { action: "project.created", target, changes: { name, region } },
        tx,
      )
      return { projectId: target }
    })
}

/** The name's slug, or the first of slug-2, slug-3 … that the organization does not have yet. */
async function addWithFreeSlug(
  plan: { organizationId: string; name: string; region: string },
  tx: Tx,
): Promise<string> {
  const slug = slugOf(plan.name)
  for (let number = 1; number <= 10_000; number++) {
    const added = await add({ ...plan, slug: number === 1 ? slug : `${slug.slice(0, 44)}-${number}` }, tx)
    if (added) return added
  }
  throw new Refusal("project.slug_taken", `The organization has too many projects called ${plan.name}.`)
}

async function add(plan: ProjectPlan, tx: Tx): Promise<string | null> {
  try {
    return await addProject(plan, tx)
  } catch (error) {
    if (sqlState(error) === FOREIGN_KEY_VIOLATION) throw noOrganization()
    throw error
  }
}

function setLimits(args: string[]) {
  const given = flags(args, "project", "per-second?", "per-day?")
  const projectId = projectArgument(given.project)
  const [perSecond, perDay] = [countArgument(given["per-second"]), countArgument(given["per-day"])]
  if (perSecond === undefined && perDay === undefined) throw usage("Give --per-second, --per-day or both.")

  return async () => {
    const limits = { ...(perSecond && { perSecond }), ...(perDay && { perDay }) }
    const target = encodeId("proj", projectId)
    await unscopedTransaction(async (tx) => {
      const project = await setProjectLimits(projectId, limits, tx)
      if (!project) throw noProject()
      const at = { organizationId: project.organizationId, projectId }
      await addOperatorAudit(at, { action: "project.limits_set", target, changes: limits }, tx)
    })
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
    const target = encodeId("org", organizationId)
    await unscopedTransaction(async (tx) => {
      if (!(await entitleOrganization(organizationId, multiRegion, tx))) throw noOrganization()
      const entry = { action: "organization.entitled", target, changes: { multiRegion } }
      await addOperatorAudit({ organizationId }, entry, tx)
    })
    return { organizationId: target, multiRegion }
  }
}

function signInLink(args: string[]) {
  const email = emailArgument(flags(args, "email").email)
  return async () => {
    const person = await findPerson(email)
    if (!person) throw new Refusal("user.not_found", `${email} has no account.`)
    const { url, expiresAt } = await newSignInLink({ userId: person.id }, { clock: systemClock, random: systemRandom })
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
  return new Refusal("project.not_found", "Project not found.")
}

function noOrganization(): Refusal {
  return new Refusal("organization.not_found", "Organization not found.")
}
