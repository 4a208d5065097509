import { type ContactField, propertyFaults } from "@/lib/contacts/rules"
import type { ContactPlan } from "@/lib/contacts/data"
import { valueFault } from "@/lib/contact-properties/rules"
import { declaredProperties } from "@/lib/contact-properties/data"
import { parseAddress } from "@/lib/addresses/address"
import { decodeId } from "@/lib/platform/ids"
import type { FieldProblem } from "@/lib/platform/http/problem"
import { requestInvalid } from "@/lib/platform/http/problems"
import type { Scope } from "@/lib/platform/http/scope"
import type { Preference, Subscription } from "@/lib/consent/rules"
import { existingSegments } from "@/lib/segments/data"
import { existingTopics } from "@/lib/topics/data"

type Given = Partial<Record<ContactField, string>> & {
  email: string
  properties: Record<string, string>
  segments: { id: string }[]
  topics: { id: string; subscription: Subscription }[]
  unsubscribed?: boolean
}

/** The contact that a body describes, with its references checked. @throws requestInvalid with every fault and its pointer */
export async function planOf(scope: Scope, given: Given): Promise<ContactPlan> {
  const { email, properties, segments, topics, ...rest } = given
  const address = canonicalOf(email)
  const segmentIds = segments.map(({ id }) => decodeId("seg", id))
  const [named, preferences, propertiesWrong] = await Promise.all([
    existingSegments(
      scope.project.id,
      segmentIds.filter((id) => id !== null),
    ),
    readPreferences(scope, topics),
    faultsOfProperties(scope, properties),
  ])
  const faults = [
    ...(address.fault ? [{ pointer: "/email", detail: address.fault }] : []),
    ...propertiesWrong,
    ...segmentIds.flatMap((id, at) => (id && named.has(id) ? [] : [unnamed(`/segments/${at}/id`, "segment")])),
    ...preferences.faults,
  ]
  refuse(faults)
  return { ...rest, email: address.canonical, properties, segments: [...named.values()], preferences: preferences.read }
}

/** The values of a change. @throws requestInvalid with every fault and its pointer */
export async function checkProperties(scope: Scope, properties: Record<string, string>): Promise<void> {
  refuse(await faultsOfProperties(scope, properties))
}

/** Single values of a change, to be merged with the stored ones. @throws requestInvalid with every fault and its pointer */
export async function propertyPlan(
  scope: Scope,
  changes: Record<string, string | null>,
  besideAll: boolean,
): Promise<PropertyPlan> {
  if (besideAll) refuse([{ pointer: "/propertyChanges", detail: "Give this or `properties`, not both." }])
  const entries = Object.entries(changes)
  const properties = Object.fromEntries(entries.flatMap(([key, value]) => (value === null ? [] : [[key, value]])))
  const faults = await faultsOfProperties(scope, properties)
  refuse(faults.map((fault) => ({ ...fault, pointer: fault.pointer.replace("/properties", "/propertyChanges") })))
  return { properties, clearedProperties: entries.flatMap(([key, value]) => (value === null ? [key] : [])) }
}

type PropertyPlan = { properties: Record<string, string>; clearedProperties: string[] }

/** The preferences of a body. @throws requestInvalid with every fault and its pointer */
export async function preferencesOf(scope: Scope, given: Given["topics"]): Promise<Preference[]> {
  const { read, faults } = await readPreferences(scope, given)
  refuse(faults)
  return read
}

function canonicalOf(email: string): { canonical: string; fault?: string } {
  const address = parseAddress(email)
  if (!address.ok) return { canonical: "", fault: address.reason }
  return address.name || email.includes("<")
    ? { canonical: "", fault: "Give the bare address; names have fields of their own." }
    : address
}

async function faultsOfProperties(scope: Scope, properties: Record<string, string>): Promise<FieldProblem[]> {
  if (!Object.keys(properties).length) return []
  const declared = await declaredProperties(scope.project.id)
  return propertyFaults(properties, {
    declared,
    faultOf: (key, value) => valueFault(declared.get(key)?.type ?? "string", value),
  })
}

async function readPreferences(
  scope: Scope,
  given: Given["topics"],
): Promise<{ read: Preference[]; faults: FieldProblem[] }> {
  const ids = given.map(({ id }) => decodeId("top", id))
  const named = await existingTopics(
    scope.project.id,
    ids.filter((id) => id !== null),
  )
  const read: Preference[] = []
  const faults: FieldProblem[] = []
  for (const [at, { subscription }] of given.entries()) {
    const topicId = ids[at]
    if (!topicId || !named.has(topicId)) faults.push(unnamed(`/topics/${at}/id`, "topic"))
    else if (ids.indexOf(topicId) !== at) faults.push({ pointer: `/topics/${at}/id`, detail: "Is in the list twice." })
    else read.push({ topicId, subscription })
  }
  return { read, faults }
}

function unnamed(pointer: string, kind: IdName): FieldProblem {
  return { pointer, detail: `Names no ${kind} of this project.` }
}

type IdName = "segment" | "topic"

function refuse(faults: FieldProblem[]) {
  const [first] = faults
  if (!first) return
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : ""
  throw requestInvalid(`${first.pointer}: ${first.detail}${more}`, { errors: faults.slice(0, 100) })
}
