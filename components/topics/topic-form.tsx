"use client"

import { useState } from "react"
import { Form, FormRefusal } from "@/components/data/form"
import { filled, trimmed } from "@/components/data/form-rules"
import { usePageForm } from "@/components/data/use-page-form"
import { Card, CardBody, CardHeader } from "@/components/ui/card"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { SaveRow } from "@/components/ui/save-row"
import { Switch } from "@/components/ui/switch"
import { toast } from "@/components/ui/toast"
import { useUpdateTopic, type Topic } from "@/components/topics/queries"

/** Name, description and whether recipients see it. */
export function TopicForm({ projectId, topic }: { projectId: string; topic: Topic }) {
  const update = useUpdateTopic()
  const { name, description = "", visibility } = topic
  const [shown, setShown] = useState(visibility === "public")
  const form = usePageForm({
    schema: () => import("@/lib/topics/schema").then(({ TopicChange }) => TopicChange),
    values: { name, description },
    rules: { name: filled("Enter a name.") },
    async save(values) {
      const body = { ...values, visibility: shown ? ("public" as const) : ("private" as const) }
      await update.mutateAsync({ params: { projectId, topicId: topic.id }, body })
      toast.success("Saved")
    },
  })
  const dirty = form.dirty || shown !== (visibility === "public")
  function discard() {
    form.discard()
    setShown(visibility === "public")
  }
  return (
    <Card aria-label="About">
      <Form form={form}>
        <CardHeader title="About" />
        <CardBody>
          <FormRefusal form={form} />
          <div className="grid items-start gap-x-4 sm:grid-cols-2">
            <Field label="Name" error={form.faultOf("name")}>
              <Input maxLength={200} autoComplete="off" {...form.input("name", trimmed)} />
            </Field>
            <Field label="Description" error={form.faultOf("description")} className="last:mb-4">
              <Input maxLength={2000} autoComplete="off" {...form.input("description", trimmed)} />
            </Field>
          </div>
          <Switch
            className="mt-2"
            label="Public"
            hint="Recipients see it on their preference page, which every unsubscribe link opens."
            checked={shown}
            onChange={({ target }) => setShown(target.checked)}
          />
        </CardBody>
        {dirty ? <SaveRow saving={form.saving} onReset={discard} /> : null}
      </Form>
    </Card>
  )
}
