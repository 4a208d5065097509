import { addOperatorAudit } from "@/lib/access/audit/data"
import { entitle, setMaxProjects } from "@/lib/access/people/data"
import {
  countArgument,
  flags,
  nameArgument,
  organizationArgument,
  projectArgument,
  Refusal,
  regionArgument,
  usage,
} from "@/lib/cli/admin-arguments"
import { unscopedTransaction } from "@/lib/platform/database/db"
import { foreignKeyViolation, sqlState } from "@/lib/platform/database/sql-errors"
import { encodeId } from "@/lib/platform/ids"
import { addProject, type ProjectPlan } from "@/lib/projects/data"
import { setLimits as setProjectLimits, setStorageLimit } from "@/lib/projects/quota/data"
import { limitFlags, slugOf } from "@/lib/projects/rules"
import type { Limits } from "@/lib/projects/schema"
import type { Prisma } from "@/prisma/generated/client"

type Tx = Prisma.TransactionClient

export function createProjectByOperator(args: string[]) {
  const given = flags(args, "organization", "name", "region")
  const organizationId = organizationArgument(given.organization)
  const [name, region] = [nameArgument(given.name), regionArgument(given.region)]

  return () =>
    unscopedTransaction(async (tx) => {
      const projectId = await addWithFreeSlug({ organizationId, name, region }, tx)
      const target = encodeId("proj", projectId)
      await addOperatorAudit(
        { organizationId, projectId },
        { action: "project.created", target, name, changes: { region } },
        tx,
      )
      return { projectId: target }
    })
}

/** Adds the project with the name's slug, or the first free one of slug-2, slug-3 …. */
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
    if (sqlState(error) === foreignKeyViolation) throw noOrganization()
    throw error
  }
}

/** A million GiB: beyond, JSON would round the number of bytes. */
const storedGibMax = 1_000_000

export function setOrganizationLimits(args: string[]) {
  const names = Object.entries(limitFlags) as [keyof Limits, string][]
  // The name of a limit in a problem is taken as well, as people copy it from there.
  const aliases = names.filter(([name, flag]) => name !== flag)
  const own = names.map(([, flag]) => flag)
  const optional = [...own, ...aliases.map(([name]) => name), "projects", "stored-gib"].map((flag) => `${flag}?`)
  const given = flags(args, "project", ...optional)
  const projectId = projectArgument(given.project)
  const limits: Partial<Limits> = {}
  for (const [name, flag] of names) {
    const value = countArgument(given[flag] ?? given[name])
    if (value !== undefined) limits[name] = value
  }
  const [projects, storedGib] = [countArgument(given.projects), countArgument(given["stored-gib"])]
  if (storedGib && storedGib > storedGibMax) throw usage(`--stored-gib is at most ${storedGibMax}.`)
  const changes = { ...limits, ...(projects && { projects }), ...(storedGib && { storedGib }) }
  if (Object.keys(changes).length === 0)
    throw usage(`Give at least one of ${[...own, "projects", "stored-gib"].map((flag) => `--${flag}`).join(", ")}.`)

  return async () => {
    const target = encodeId("proj", projectId)
    await unscopedTransaction(async (tx) => {
      const project = await setProjectLimits(projectId, limits, tx)
      if (!project) throw noProject()
      if (projects !== undefined) await setMaxProjects(project.organizationId, projects, tx)
      if (storedGib !== undefined) await setStorageLimit(projectId, storedGib * 2 ** 30, tx)
      const at = { organizationId: project.organizationId, projectId }
      await addOperatorAudit(at, { action: "project.limits_set", target, changes }, tx)
    })
    return { projectId: target, ...changes }
  }
}

export function entitleOrganization(args: string[]) {
  const given = flags(args, "organization", "multi-region")
  const organizationId = organizationArgument(given.organization)
  const wanted = given["multi-region"]
  if (wanted !== "true" && wanted !== "false") throw usage("--multi-region is true or false.")

  return async () => {
    const multiRegion = wanted === "true"
    const target = encodeId("org", organizationId)
    await unscopedTransaction(async (tx) => {
      if (!(await entitle(organizationId, multiRegion, tx))) throw noOrganization()
      const entry = { action: "organization.entitled", target, changes: { multiRegion } } as const
      await addOperatorAudit({ organizationId }, entry, tx)
    })
    return { organizationId: target, multiRegion }
  }
}

export function noProject(): Refusal {
  return new Refusal("project.not_found", "Project not found.")
}

function noOrganization(): Refusal {
  return new Refusal("organization.not_found", "Organization not found.")
}
