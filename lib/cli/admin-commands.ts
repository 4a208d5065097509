import { setTimeout as wait } from "node:timers/promises"
import { verifyAuditLog } from "@/lib/access/audit/chain/data"
import { addOperatorAudit } from "@/lib/access/audit/data"
import type { AuditAction } from "@/lib/access/audit/rules"
import { revokeSessions } from "@/lib/access/credentials/data"
import { mintKey } from "@/lib/access/credentials/keys"
import { hashPassword } from "@/lib/access/credentials/passwords"
import { countOperators, findPerson, lockUser, organizationsOfUsers, setOperator } from "@/lib/access/people/data"
import { removeSecondFactors } from "@/lib/access/second-factor/data"
import { permissions, type Permission } from "@/lib/access/permissions"
import { newSignInLink } from "@/lib/access/credentials/sign-in"
import { listUndeliveredMail, tellOfAccount } from "@/lib/access/system-mail/data"
import { addKey } from "@/lib/api-keys/data"
import type { LoopTestCode } from "@/lib/delivery/regions/region-rules"
import { findReturnRoutes, startLoopTest } from "@/lib/delivery/regions/return-route-store"
import { serviceKey, serviceKeyName, serviceKeyRecord } from "@/lib/domains/keys/data"
import { systemClock } from "@/lib/platform/time"
import { unscopedTransaction } from "@/lib/platform/database/db"
import { takeLock } from "@/lib/platform/database/locks-sql"
import { db } from "@/lib/platform/database/scoped-db"
import { env } from "@/lib/platform/env/env"
import { encodeId } from "@/lib/platform/ids"
import { announceWork } from "@/lib/platform/jobs/notifications"
import { systemRandom } from "@/lib/platform/io"
import { organizationOf } from "@/lib/projects/data"
import { foundIn } from "@/lib/projects/installation/store"
import { slugOf } from "@/lib/projects/rules"
import {
  emailArgument,
  flags,
  nameArgument,
  passwordArgument,
  permissionsArgument,
  projectArgument,
  Refusal,
  regionArgument,
  usage,
} from "@/lib/cli/admin-arguments"
import { backupToFile, releaseRestored, restoreFromFile } from "@/lib/cli/admin-backup"
import { doctor, relayConfigOf, egress } from "@/lib/cli/admin-sending"
import { moveToCell } from "@/lib/cli/admin-move"
import {
  createProjectByOperator,
  entitleOrganization,
  noProject,
  setOrganizationLimits,
} from "@/lib/cli/admin-projects"
import type { Prisma } from "@/prisma/generated/client"

type Tx = Prisma.TransactionClient

type Answer = Record<string, unknown>

/** Reads the arguments, and returns what to do once the database is ready. */
type Command = (args: string[]) => Promise<() => Promise<Answer>> | (() => Promise<Answer>)

/** The operator's commands by name. They ignore the limits of projects; what they do to an organization or its people is in its audit log. */
export const adminCommands: Record<string, Command | undefined> = {
  bootstrap,
  "create-key": createKey,
  "create-project": createProjectByOperator,
  "set-limits": setOrganizationLimits,
  entitle: entitleOrganization,
  operator: operatorOf,
  egress,
  doctor,
  "relay-config": relayConfigOf,
  "loop-test": loopTest,
  backup: backupToFile,
  restore: restoreFromFile,
  release: releaseRestored,
  "move-organization": moveToCell,
  "sign-in-link": signInLink,
  "reset-second-factor": resetSecondFactor,
  "service-dns": serviceDns,
  "undelivered-mail": undeliveredMail,
  "verify-audit-log": verifyAudit,
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
  const key = mintKey(systemRandom, env().cell)
  const inProject = db({ project: { id: at.projectId } }, tx)
  const keyId = encodeId("key", await addKey({ projectId: at.projectId, name, permissions: granted }, key, inProject))
  const changes = { permissions: granted, start: key.start }
  const { organizationId, projectId } = at
  await addOperatorAudit({ organizationId, projectId }, { action: "api_key.created", target: keyId, name, changes }, tx)
  return { keyId, apiKey: key.secret }
}

function signInLink(args: string[]) {
  const email = emailArgument(flags(args, "email").email)
  return async () => {
    const person = await findPerson(email)
    if (!person) throw new Refusal("user.not_found", `${email} has no account.`)
    await unscopedTransaction((tx) => auditOfOperator({ userId: person.id, email }, "user.sign_in_link_created", tx))
    const { url, expiresAt } = await newSignInLink({ userId: person.id }, { clock: systemClock, random: systemRandom })
    return { url, expiresAt: expiresAt.toISOString() }
  }
}

/** For who has lost device and recovery codes: the next sign-in takes one step. Sessions end, as the device may be somebody's. */
function resetSecondFactor(args: string[]) {
  const email = emailArgument(flags(args, "email").email)
  return async () => {
    const person = await findPerson(email)
    if (!person) throw new Refusal("user.not_found", `${email} has no account.`)
    return unscopedTransaction(async (tx) => {
      await lockUser(person.id, tx)
      const removed = await removeSecondFactors(person.id, tx)
      await revokeSessions({ userId: person.id }, tx)
      await auditOfOperator({ userId: person.id, email }, "user.second_factor_reset", tx)
      if (removed) await tellOfAccount({ to: email, change: "second-factor-reset" }, tx)
      return { email, removed }
    })
  }
}

/** Makes a user run the installation, or with `--remove yes` no longer; somebody always does. */
function operatorOf(args: string[]) {
  const given = flags(args, "email", "remove?")
  const email = emailArgument(given.email)
  if (given.remove !== undefined && given.remove !== "yes") throw usage('The only value of --remove is "yes".')
  const operator = given.remove === undefined

  return async () => {
    const person = await findPerson(email)
    if (!person) throw new Refusal("user.not_found", `${email} has no account.`)
    return unscopedTransaction(async (tx) => {
      await takeLock("mailroom.operators", tx)
      const changed = await setOperator(person.id, operator, tx)
      if ((await countOperators(tx)) === 0)
        throw new Refusal("operator.last", `${email} is the only operator. Name another one first.`)
      const action = operator ? "operator.added" : "operator.removed"
      if (changed) await auditOfOperator({ userId: person.id, email }, action, tx)
      return { email, operator, changed }
    })
  }
}

/** In the log of every organization of the user. */
async function auditOfOperator(
  { userId, email }: { userId: string; email: string },
  action: AuditAction,
  tx: Tx,
): Promise<void> {
  for (const organizationId of await organizationsOfUsers({ id: userId }, tx))
    await addOperatorAudit({ organizationId }, { action, target: encodeId("usr", userId), name: email }, tx)
}

/** Has the running installation send a mail through a region's relay, and waits until it has come back. */
function loopTest(args: string[]) {
  const region = regionArgument(flags(args, "region").region)
  return async () => {
    await startLoopTest(region)
    announceWork()
    const until = Date.now() + loopTestWaitMs
    for (;;) {
      const test = (await findReturnRoutes()).find((route) => route.region === region)
      if (test?.code === "passed") {
        const seconds = secondsBetween(test.startedAt, test.returnedAt ?? test.startedAt)
        return { region, relay: test.relay, code: test.code, seconds }
      }
      if (test?.code)
        throw new Refusal(`loop_test.${test.code}`, `${loopTestWords[test.code]} ${test.diagnostic ?? ""}`.trim())
      if (Date.now() > until) throw new Refusal("loop_test.under_way", underWay(test?.sentAt ?? null))
      await wait(loopTestLookMs)
    }
  }
}

const loopTestWaitMs = 60_000
const loopTestLookMs = 250

const loopTestWords: Record<Exclude<LoopTestCode, "passed">, string> = {
  not_accepted: "The mail was not taken:",
  returned: "A server on the way returned the mail:",
  lost: "The mail did not come back within 10 minutes.",
}

function underWay(sentAt: Date | null): string {
  return sentAt
    ? "The relay has taken the mail, which is not back after a minute. Check that the feedback host's address record leads to INBOUND_PORT; the operator's mailbox in the dashboard shows the result for 10 minutes on."
    : "No worker has sent the mail within a minute. Mailroom must be running."
}

function secondsBetween(from: Date, to: Date): number {
  return Math.max(0, to.getTime() - from.getTime()) / 1_000
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

/** Refuses with the first fault, so that the exit code tells a script. */
function verifyAudit(args: string[]) {
  flags(args)
  return async () => {
    const { faults, ...checked } = await verifyAuditLog()
    const [first] = faults
    if (!first) return checked
    const entry = first.entryId ? `${encodeId("aud", first.entryId)}, ` : ""
    const detail = first.organizationId
      ? `${entry}position ${first.position} in the chain of ${encodeId("org", first.organizationId)}: ${first.fault}`
      : first.fault
    throw new Refusal(
      "audit.chain_broken",
      faults.length > 1 ? `${detail} ${faults.length} chains are broken.` : detail,
    )
  }
}
