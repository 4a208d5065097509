"use client"

import { useState } from "react"
import { useFields } from "@/components/api/use-fields"
import { Button } from "@/components/ui/button"
import { Card, CardBody, CardFooter, CardHeader } from "@/components/ui/card"
import { Field } from "@/components/ui/field"
import { FormErrorSummary } from "@/components/ui/form-error-summary"
import { Input } from "@/components/ui/input"
import { Switch } from "@/components/ui/switch"
import { toast } from "@/components/ui/toast"
import { useUpdateTopic, type Topic } from "@/components/topics/queries"

/** Name, description and whether recipients see it. */
export function TopicForm({ projectId, topic }: { projectId: string; topic: Topic }) {
  const update = useUpdateTopic()
  const { name, description = "", visibility } = topic
  const form = useFields({ name, description }, { name: (text) => (text.trim() ? undefined : "Give it a name.") })
  const [shown, setShown] = useState(visibility === "public")
  const dirty = form.dirty || shown !== (visibility === "public")
  const submit = form.submit(async (values) => {
    const body = {
      name: values.name.trim(),
      description: values.description.trim(),
      visibility: shown ? ("public" as const) : ("private" as const),
    }
    await update.mutateAsync({ params: { projectId, topicId: topic.id }, body })
    toast.success("Saved")
  })
  function discard() {
    form.reset()
    setShown(visibility === "public")
  }
  return (
    <Card aria-label="About">
      <form noValidate onSubmit={(event) => void submit(event)}>
        <CardHeader title="About" />
        <CardBody>
          <FormErrorSummary faults={form.fault ? [{ message: form.fault }] : []} />
          <div className="grid items-start gap-x-4 sm:grid-cols-2">
            <Field label="Name" error={form.faultOf("name")}>
              <Input maxLength={200} autoComplete="off" {...form.register("name")} />
            </Field>
            <Field label="Description" error={form.faultOf("description")}>
              <Input maxLength={2000} autoComplete="off" {...form.register("description")} />
            </Field>
          </div>
          <Switch
            className="mt-2"
            label="Public"
            hint="Recipients see it on their preference page, which every unsubscribe link leads to."
            checked={shown}
            onChange={({ target }) => setShown(target.checked)}
          />
        </CardBody>
        {dirty ? (
          <CardFooter className="justify-end">
            <Button onClick={discard}>Discard</Button>
            <Button type="submit" variant="primary" loading={form.saving}>
              Save
            </Button>
          </CardFooter>
        ) : null}
      </form>
    </Card>
  )
}
