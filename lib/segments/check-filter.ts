import { declaredProperties, type Declared } from "@/lib/contact-properties/declared-sql"
import { decodeId } from "@/lib/platform/ids"
import type { FieldProblem } from "@/lib/platform/http/problem"
import { requestInvalid } from "@/lib/platform/http/problems"
import type { Scope } from "@/lib/platform/http/scope"
import { conditionsOf, presences, type Condition, type Group } from "@/lib/segments/rules"
import { existingTopics } from "@/lib/topics/store"

/** @throws requestInvalid where a condition names a topic or property that the project lacks, or compares it wrongly */
export async function checkFilter(scope: Scope, filter: Group, at = "/filter"): Promise<void> {
  const conditions = conditionsOf(filter)
  const topicIds = conditions.flatMap(({ condition }) =>
    condition.field === "topic" ? (decodeId("top", condition.topicId) ?? []) : [],
  )
  const asksForProperties = conditions.some(({ condition }) => condition.field === "property")
  const [topics, properties] = await Promise.all([
    existingTopics(scope.project.id, topicIds),
    asksForProperties ? declaredProperties(scope.project.id) : new Map(),
  ])
  const errors = conditions.flatMap(({ pointer, condition }) =>
    faultsOf(condition, `${at}${pointer}`, topics, properties),
  )
  if (errors.length) throw requestInvalid(`${errors[0]?.pointer}: ${errors[0]?.detail}`, { errors })
}

function faultsOf(condition: Condition, at: string, topics: ReadonlySet<string>, properties: Declared): FieldProblem[] {
  if (condition.field === "topic") {
    const known = topics.has(decodeId("top", condition.topicId) ?? "")
    return known ? [] : [{ pointer: `${at}/topicId`, detail: "Names no topic of this project." }]
  }
  if (condition.field !== "property") return []
  const declared = properties.get(condition.key)
  if (!declared) return [{ pointer: `${at}/key`, detail: "Names no contact property of this project." }]
  if ((presences as readonly string[]).includes(condition.operator)) return []
  const fits = declared.type === (typeof condition.value === "number" ? "number" : "string")
  return fits ? [] : [{ pointer: `${at}/value`, detail: `Must be a ${declared.type}, as the property is.` }]
}
