"use client"

import { useRouter } from "next/navigation"
import { useForm } from "react-hook-form"
import { applyProblem } from "@/components/api/problem"
import { Button } from "@/components/ui/button"
import { DialogClose, DialogFooter } from "@/components/ui/dialog"
import { Field } from "@/components/ui/field"
import { FormErrorSummary } from "@/components/ui/form-error-summary"
import { Input } from "@/components/ui/input"
import { RadioCards } from "@/components/ui/radio-cards"
import type { Subscription } from "@/lib/consent/rules"
import { useCreateTopic } from "@/components/topics/queries"

type Fields = { name: string; description: string; defaultSubscription: Subscription; visibility: "public" | "private" }

export default function AddTopicForm({ projectId }: { projectId: string }) {
  const router = useRouter()
  const create = useCreateTopic()
  const form = useForm<Fields>({
    defaultValues: { name: "", description: "", defaultSubscription: "opt_out", visibility: "public" },
  })
  const { errors } = form.formState

  async function submit({ description, ...rest }: Fields) {
    try {
      const body = { ...rest, ...(description ? { description } : {}) }
      const { id } = await create.mutateAsync({ params: { projectId }, body })
      router.push(`/projects/${projectId}/topics/${id}`)
    } catch (error) {
      applyProblem(form, error)
    }
  }

  const trimmed = { setValueAs: (text: string) => text.trim() }
  return (
    <form noValidate onSubmit={form.handleSubmit(submit)}>
      <FormErrorSummary
        title="The topic was not created."
        faults={errors.root?.message ? [{ message: errors.root.message }] : []}
      />
      <Field label="Name" error={errors.name?.message} hint="Recipients read it where the topic is public.">
        <Input
          autoFocus
          autoComplete="off"
          maxLength={200}
          placeholder="Product news"
          {...form.register("name", { ...trimmed, validate: (name) => name !== "" || "Give it a name." })}
        />
      </Field>
      <Field label="Description" optional error={errors.description?.message}>
        <Input
          autoComplete="off"
          maxLength={2000}
          placeholder="What is new, once a month."
          {...form.register("description", trimmed)}
        />
      </Field>
      <RadioCards
        legend="Default subscription"
        columns={2}
        options={[
          { value: "opt_out", label: "Opted out", hint: "Contacts are out until they join. The safe choice." },
          { value: "opt_in", label: "Opted in", hint: "Contacts are in until they leave." },
        ]}
        hint="It cannot be changed later."
        error={errors.defaultSubscription?.message}
        {...form.register("defaultSubscription")}
      />
      <RadioCards
        legend="Visibility"
        columns={2}
        options={[
          { value: "public", label: "Public", hint: "Shown on the preference page." },
          { value: "private", label: "Private", hint: "Shown only to people who receive this topic." },
        ]}
        error={errors.visibility?.message}
        {...form.register("visibility")}
      />
      <DialogFooter>
        <DialogClose>
          <Button>Cancel</Button>
        </DialogClose>
        <Button type="submit" variant="primary" loading={form.formState.isSubmitting}>
          Create topic
        </Button>
      </DialogFooter>
    </form>
  )
}
