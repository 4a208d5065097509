import { addOwnOperatorAudit } from "@/lib/access/audit/data"
import { allowOperator } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import { blocksOf } from "@/lib/delivery/egress/blocks-store"
import * as addresses from "@/lib/delivery/egress/data"
import {
  capOf,
  capWithinLife,
  utcDate,
  dayCounts,
  type DayCounts,
  type OnBlock,
  warmUpAt,
  warmUpDays,
} from "@/lib/delivery/egress/rules"
import {
  EgressAddress,
  EgressAddressEdit,
  EgressAddressList,
  NewEgressAddress,
  NewProjectPool,
  ProjectPool,
  ProjectPoolList,
} from "@/lib/delivery/egress/schema"
import { shown } from "@/lib/platform/database/shape"
import { organizationEndpoint } from "@/lib/platform/http/endpoint"
import { problem } from "@/lib/platform/http/problem"
import { pathNotFound } from "@/lib/platform/http/problems"
import { encodeId } from "@/lib/platform/ids"
import { present } from "@/lib/platform/schema"
import { projectsWithPools, setEgressPool } from "@/lib/projects/data"

const addressMissing = problem("egress_address.not_found", 404, "Address not found", "There is no such egress address.")

const addressTaken = problem(
  "egress_address.already_exists",
  409,
  "Address already added",
  "The region has this address already.",
)

const warmUpInvalid = problem(
  "egress_address.warm_up_invalid",
  422,
  "Warm-up cannot begin in the past",
  "A warm-up begins today (UTC) or later.",
)

const shared = { tag: "Operator", access: allowOperator(), bucket: null, additive: true } as const
const onlyForOperators = "For who runs the installation; to everybody else nothing lives here."
const path = { addressId: { prefix: "egr", missing: addressMissing } } as const

export const listEgressAddresses = organizationEndpoint({
  ...shared,
  route: "GET /v1/operator/egress-addresses",
  operationId: "listEgressAddresses",
  summary: "List egress addresses",
  description: `The addresses of this installation from which regions send directly to recipients' servers (\`SMTP_URL=direct:\`), with their pools, warm-ups and
what left from them today. A region without one sends from the address that the system chooses. ${onlyForOperators}`,
  answers: [200, EgressAddressList],
  problems: [pathNotFound],

  async run(_, __, { clock }) {
    return { data: await shownAddresses(await addresses.listAddresses(), utcDate(clock.now())) }
  },
})

export const createEgressAddress = organizationEndpoint({
  ...shared,
  route: "POST /v1/operator/egress-addresses",
  operationId: "createEgressAddress",
  summary: "Add egress address",
  description: `Email between a sender's and a recipient's domain always leaves from the same address of the project's pool: a new one takes over its
share of the pairs. Add it to the SPF record \`spf.<region>\` of the service domain, and give it reverse DNS, first. ${onlyForOperators}`,
  body: NewEgressAddress,
  answers: [201, EgressAddress],
  location: "/v1/operator/egress-addresses/{id}",
  problems: [addressTaken, warmUpInvalid, pathNotFound],
  example: { body: { region: "eu-west-1", address: "203.0.113.5", ehloName: "out1.mail.example" } },

  async run(scope, { body: { warmUpOn, ...given } }, { clock }) {
    const today = utcDate(clock.now())
    if (warmUpOn !== undefined && warmUpOn < today) throw warmUpInvalid()
    const changes = { ...given, warmUpOn }
    const added = await addresses.addAddress({ ...given, warmUpOn: warmUpOn ?? null }, ({ id }, tx) =>
      addOwnOperatorAudit(scope, { action: "egress_address.added", target: encodeId("egr", id), changes }, tx),
    )
    if (!added) throw addressTaken()
    return shownAddress(added, today)
  },
})

export const getEgressAddress = organizationEndpoint({
  ...shared,
  route: "GET /v1/operator/egress-addresses/{addressId}",
  operationId: "getEgressAddress",
  summary: "Get egress address",
  description: `The address with its warm-up and what left from it today. ${onlyForOperators}`,
  path,
  answers: [200, EgressAddress],
  problems: [addressMissing, pathNotFound],

  async run(_, { path: { addressId } }, { clock }) {
    const row = await addresses.findAddress(addressId)
    if (!row) throw addressMissing()
    return shownAddress(row, utcDate(clock.now()))
  },
})

export const updateEgressAddress = organizationEndpoint({
  ...shared,
  route: "PATCH /v1/operator/egress-addresses/{addressId}",
  operationId: "updateEgressAddress",
  summary: "Update egress address",
  description: `Pauses or resumes the address, moves it to another pool, begins its warm-up, or says what its email does where it is refused. What was attempted from an address is attempted from it again,
whatever its pool: while it is paused that email waits, and other email leaves from the other addresses of the pool. ${onlyForOperators}`,
  path,
  body: EgressAddressEdit,
  answers: [200, EgressAddress],
  problems: [addressMissing, warmUpInvalid, pathNotFound],
  example: { body: { paused: true } },

  async run(scope, { path: { addressId }, body: edit }, { clock }) {
    const today = utcDate(clock.now())
    if (typeof edit.warmUpOn === "string" && edit.warmUpOn < today) throw warmUpInvalid()
    const changed = await addresses.changeAddress(addressId, edit, ({ id, address }, tx) => {
      const changes = { address, ...edit }
      return addOwnOperatorAudit(scope, { action: "egress_address.changed", target: encodeId("egr", id), changes }, tx)
    })
    if (!changed) throw addressMissing()
    return shownAddress(changed, today)
  },
})

export const deleteEgressAddress = organizationEndpoint({
  ...shared,
  route: "DELETE /v1/operator/egress-addresses/{addressId}",
  operationId: "deleteEgressAddress",
  summary: "Remove egress address",
  description: `What was attempted from it and waits leaves from another address of its project's pool. Its counts are deleted. ${onlyForOperators}`,
  path,
  answers: [204],
  problems: [addressMissing, pathNotFound],

  async run(scope, { path: { addressId } }) {
    const removed = await addresses.removeEgressAddress(addressId, ({ id, region, address, pool }, tx) => {
      const changes = { region, address, pool }
      return addOwnOperatorAudit(scope, { action: "egress_address.removed", target: encodeId("egr", id), changes }, tx)
    })
    if (!removed) throw addressMissing()
  },
})

export const listProjectPools = organizationEndpoint({
  ...shared,
  route: "GET /v1/operator/project-pools",
  operationId: "listProjectPools",
  summary: "List projects with a pool of their own",
  description: `Projects whose email leaves from another pool of addresses than \`default\`, at most 1,000. ${onlyForOperators}`,
  answers: [200, ProjectPoolList],
  problems: [pathNotFound],

  async run() {
    const projects = await projectsWithPools()
    return { data: projects.map(({ id, name, egressPool }) => ({ projectId: id, name, pool: egressPool })) }
  },
})

export const setProjectPool = organizationEndpoint({
  ...shared,
  route: "PUT /v1/operator/project-pools",
  operationId: "setProjectPool",
  summary: "Set the pool of a project",
  description: `The pool of addresses that a project's email leaves from. What was attempted already stays at its address. ${onlyForOperators}`,
  body: NewProjectPool,
  answers: [200, ProjectPool],
  problems: [projectMissing, pathNotFound],
  example: { body: { projectId: "proj_01k9q3f7c2e8m9v4x6y8z0a1b3", pool: "news" } },

  async run(scope, { body: { projectId, pool } }) {
    const target = encodeId("proj", projectId)
    const project = await setEgressPool(projectId, pool, (_, tx) =>
      addOwnOperatorAudit(scope, { action: "project.pool_set", target, changes: { pool } }, tx),
    )
    if (!project) throw projectMissing()
    return { projectId, name: project.name, pool }
  },
})

export const egressOperations = [
  listEgressAddresses,
  createEgressAddress,
  getEgressAddress,
  updateEgressAddress,
  deleteEgressAddress,
  listProjectPools,
  setProjectPool,
] as const

async function shownAddress(row: addresses.EgressRow, today: string): Promise<EgressAddress> {
  const [one] = await shownAddresses([row], today)
  if (!one) throw new Error("An address is shown as one.")
  return one
}

/** As they are today, whether or not anything has left from them since midnight. */
async function shownAddresses(rows: readonly addresses.EgressRow[], today: string): Promise<EgressAddress[]> {
  const days = await addresses.countsOn(today)
  return Promise.all(
    rows.map(async ({ id, region, pool, address, ehloName, createdAt, pausedAt, onBlock, ...columns }) => {
      const providers = days
        .filter(({ addressId }) => addressId === id)
        .map(({ addressId: _, provider, ...counts }) => ({ name: provider, ...counts }))
      const all = sumOf(providers)
      return shown<EgressAddress>()({
        ...{ id, region, pool, address, ehloName, createdAt },
        pausedAt: present(pausedAt),
        onBlock: onBlock as OnBlock,
        blocks: await blocksOf(id),
        warmUp: await shownWarmUp({ id, region, address, ...columns }, today, all),
        today: { ...all, providers },
      })
    }),
  )
}

async function shownWarmUp(
  row: Pick<addresses.EgressRow, "id" | "region" | "address" | "warmUpDay" | "warmUpOn">,
  today: string,
  counts: DayCounts,
) {
  const before = addresses.warmUpIn(row)
  if (!before) return undefined
  const now = before.on < today ? warmUpAt(before, today, await addresses.dayCountsOf(row.id, before.on)) : before
  if (!now) return undefined
  const startsOn = now.on > today ? now.on : undefined
  const waiting = await addresses.countWarmUpWaits(row)
  return {
    ...{ day: now.day, days: warmUpDays, cap: capOf(now, today), startsOn, counts: dayCounts(counts) },
    ...{ waiting, isTooMuch: waiting > capWithinLife(now, today) },
  }
}

function sumOf(all: readonly DayCounts[]): DayCounts {
  const sum = (name: keyof DayCounts) => all.reduce((total, one) => total + one[name], 0)
  return { sent: sum("sent"), deferred: sum("deferred"), bounced: sum("bounced"), complained: sum("complained") }
}
