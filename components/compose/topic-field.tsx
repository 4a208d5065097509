"use client"

import { useQuery } from "@tanstack/react-query"
import { topicsQuery } from "@/components/segments/queries"
import { Field } from "@/components/ui/field"
import { Select } from "@/components/ui/select"
import { topicIn } from "@/components/compose/addresses"
import { controlId, type Draft } from "@/components/compose/draft"

/** Chooses the topic of the email; a topic in To takes precedence. */
export function TopicField({ projectId, draft: { fields, change, errorOf } }: { projectId: string; draft: Draft }) {
  const topics = useQuery(topicsQuery(projectId)).data?.data ?? []
  const inTo = topicIn(fields.to)
  const chosen = inTo ?? fields.topicId
  const unknown = chosen !== "" && !topics.some(({ id }) => id === chosen)
  return (
    <Field
      beside
      label="Topic"
      id={controlId("topicId")}
      error={errorOf("topicId")}
      hint={
        inTo
          ? "The one in To."
          : chosen && "Recipients can unsubscribe from this topic alone. Contacts who are not subscribed are excluded."
      }
    >
      <Select
        value={chosen}
        disabled={inTo !== null}
        options={[
          { value: "", label: "No topic" },
          ...(unknown ? [{ value: chosen, label: chosen }] : []),
          ...topics.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        onChange={({ target }) => change({ topicId: target.value })}
      />
    </Field>
  )
}
