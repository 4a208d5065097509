"use client"

import { Form, FormRefusal, filled, trimmed } from "@/components/data/form"
import { FormFooter } from "@/components/data/add-dialog"
import { useApiForm } from "@/components/data/use-api-form"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { RadioCards } from "@/components/ui/radio-cards"
import { useGoOn } from "@/components/ui/leaving"
import type { Subscription } from "@/lib/consent/rules"
import { useCreateTopic } from "@/components/topics/queries"

export default function AddTopicForm({ projectId }: { projectId: string }) {
  const goOn = useGoOn()
  const create = useCreateTopic()
  const form = useApiForm({
    schema: () => import("@/lib/topics/schema").then(({ NewTopic }) => NewTopic),
    defaultValues: {
      name: "",
      description: "",
      defaultSubscription: "opt_out" as Subscription,
      visibility: "public" as "public" | "private",
    },
    rules: { name: filled("Enter a name.") },
    leaves: true,
    async save({ description, ...rest }) {
      const body = { ...rest, ...(description ? { description } : {}) }
      const { id } = await create.mutateAsync({ params: { projectId }, body })
      goOn(`/projects/${projectId}/topics/${id}`)
    },
  })

  return (
    <Form form={form}>
      <FormRefusal form={form} title="The topic was not created." />
      <Field label="Name" error={form.faultOf("name")} hint="Shown to recipients if the topic is public.">
        <Input
          autoFocus
          autoComplete="off"
          maxLength={200}
          placeholder="Product news"
          {...form.input("name", trimmed)}
        />
      </Field>
      <Field label="Description" optional error={form.faultOf("description")}>
        <Input
          autoComplete="off"
          maxLength={2000}
          placeholder="What is new, once a month."
          {...form.input("description", trimmed)}
        />
      </Field>
      <RadioCards
        legend="Default subscription"
        columns={2}
        options={[
          { value: "opt_out", label: "Opted out", hint: "Contacts get it only after they subscribe. The safe choice." },
          { value: "opt_in", label: "Opted in", hint: "Contacts get it until they unsubscribe." },
        ]}
        hint="It cannot be changed later."
        error={form.faultOf("defaultSubscription")}
        {...form.register("defaultSubscription")}
      />
      <RadioCards
        legend="Visibility"
        columns={2}
        options={[
          { value: "public", label: "Public", hint: "Shown on the preference page." },
          { value: "private", label: "Private", hint: "Shown only to people who receive this topic." },
        ]}
        error={form.faultOf("visibility")}
        {...form.register("visibility")}
      />
      <FormFooter action="Create topic" saving={form.saving} />
    </Form>
  )
}
