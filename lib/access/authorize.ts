import type { Access, Endpoint } from "@/lib/platform/http/endpoint"
import { isWithin } from "@/lib/platform/http/address-range-rules"
import { pathNotFound } from "@/lib/platform/http/problems"
import { decodeId } from "@/lib/platform/ids"
import {
  type KeyPrincipal,
  noteUsed,
  type OrganizationScope,
  type Principal,
  type RequestInfo,
  type Scope,
} from "@/lib/platform/http/scope"
import { cachedKey } from "@/lib/access/credentials/keys"
import { allow, permissionsOf, type Permission } from "@/lib/access/permissions"
import {
  addressNotAllowed,
  keyRequired,
  permissionMissing,
  projectMismatch,
  projectMissing,
  secondFactorRequired,
  senderNotAllowed,
  sessionRequired,
} from "@/lib/access/problems"
import { findMemberProject, type MemberProject } from "@/lib/access/credentials/data"

type Asked = { path: Record<string, string>; query: URLSearchParams }

/**
 * The authority to run an operation. First the project, then the permission, so that a 403 reveals nothing.
 * @param findProject how the project of a person is read
 * @throws addressNotAllowed, pathNotFound, projectMismatch, projectMissing, secondFactorRequired, sessionRequired, permissionMissing
 */
export async function authorize(
  endpoint: Endpoint,
  principal: Principal,
  asked: Asked,
  request: RequestInfo,
  findProject = findMemberProject,
): Promise<Scope | OrganizationScope> {
  refuseAddress(principal, request)
  if (isHidden(endpoint.access, principal)) throw pathNotFound()
  if (endpoint.reach === "organization") return organizationScope(endpoint.access, principal, request)
  const { project, organization } =
    principal.kind === "key"
      ? keyProject(principal, asked)
      : await memberProject(principal, asked, endpoint, findProject)
  if (principal.kind === "session" && principal.withheld.has(organization.id)) throw secondFactorRequired()
  refuseWithoutPermission(endpoint.access, principal, organization.id)
  return { project, organization, principal, request }
}

/** The address of a key is judged here rather than where the key is read, so that its request log has the refusal. */
function refuseAddress(principal: Principal, { ip }: RequestInfo) {
  if (principal.kind === "session" || !principal.addresses || isWithin(principal.addresses, ip)) return
  throw addressNotAllowed()
}

function isHidden(access: Access, principal: Principal): boolean {
  if (access.credential === "none" || !access.operator) return false
  return principal.kind === "key" || !principal.operator
}

function keyProject(principal: KeyPrincipal, { path }: Asked): MemberProject {
  const key = cachedKey(principal)
  if (!key) throw projectMissing()
  if (path.projectId !== undefined && decodeId("proj", path.projectId) !== principal.projectId) throw projectMismatch()
  return key
}

async function memberProject(
  principal: Principal & { kind: "session" },
  { path, query }: Asked,
  { reachesDeleted }: Endpoint,
  findProject: typeof findMemberProject,
): Promise<MemberProject> {
  const named = path.projectId ?? query.get("projectId")
  const projectId = named === null ? null : decodeId("proj", named)
  if (named !== null && projectId === null) throw projectMissing()
  const found = await findProject(principal.userId, projectId, { deleted: reachesDeleted ?? false })
  if (!found) throw projectMissing()
  return found
}

function organizationScope(access: Access, principal: Principal, request: RequestInfo): OrganizationScope {
  if (principal.kind === "key") {
    refuseWithoutPermission(access, principal, principal.organizationId)
    return { organizationIds: [principal.organizationId], principal, request }
  }
  const { roles, withheld } = principal
  if (access.credential !== "none" && access.operator && withheld.size && !roles.size) throw secondFactorRequired()
  // What concerns a person or the installation is in the audit log of every organization, withheld or not.
  if (access.credential !== "none" && !access.anyOf.length)
    return { organizationIds: [...roles.keys(), ...withheld], principal, request }
  const organizationIds = [...roles.keys()].filter((id) => hasPermission(access, principal, id))
  if (!organizationIds.length) throw withheld.size ? secondFactorRequired() : permissionMissing()
  return { organizationIds, principal, request }
}

/** For an operation that another one calls. @throws permissionMissing */
export function requirePermission(scope: Scope, access: Access): void {
  refuseWithoutPermission(access, scope.principal, scope.organization.id)
  noteUse(scope, access)
}

/** A key that uses a permission only in a part of a request is not advised to give it up. */
function noteUse({ principal, request }: Scope, access: Access) {
  if (principal.kind === "session" || access.credential === "none" || !request.facts) return
  const used = access.anyOf.find((permission) => principal.permissions.has(permission))
  if (used) noteUsed(request.facts, used)
}

function refuseWithoutPermission(access: Access, principal: Principal, organizationId: string) {
  if (access.credential === "none") return
  if (access.credential === "session" && principal.kind === "key") throw sessionRequired()
  if (access.credential === "key" && principal.kind === "session") throw keyRequired()
  if (hasPermission(access, principal, organizationId)) return
  const wanted = access.anyOf.join(" or ")
  const roles = access.roles && principal.kind === "session" ? ` and the role ${access.roles.join(" or ")}` : ""
  throw permissionMissing(`This operation needs the permission ${wanted}${roles}.`)
}

function hasPermission(access: Access, principal: Principal, organizationId: string): boolean {
  if (access.credential === "none") return true
  if (access.credential === "key" && access.anyOf.length === 0) return principal.kind === "key"
  if (principal.kind === "key") return access.anyOf.some((permission) => principal.permissions.has(permission))
  const role = principal.roles.get(organizationId)
  if (access.roles && !access.roles.includes(role ?? "")) return false
  const granted: readonly string[] = permissionsOf(role)
  return (access.session ?? access.anyOf).some((permission) => granted.includes(permission))
}

/** A key may be restricted to some domains of its project. @throws senderNotAllowed */
export function requireSender({ principal }: Scope, domain: string): void {
  if (principal.kind === "session" || !principal.domains || principal.domains.has(domain)) return
  const detail = `The API key may not send from ${domain}.`
  throw senderNotAllowed(undefined, { errors: [{ pointer: "/from", detail }] })
}

/** Whether the caller also has another permission, for parts of an answer that need one of their own. */
export function mayAlso(scope: Scope, permission: Permission): boolean {
  const access = allow(permission)
  const may = hasPermission(access, scope.principal, scope.organization.id)
  if (may) noteUse(scope, access)
  return may
}
