"use client"

import { useCall } from "@/components/data/use-call"
import { Form, FormRefusal, filled } from "@/components/data/form"
import { FormFooter } from "@/components/data/add-dialog"
import { useApiForm } from "@/components/data/use-api-form"
import { Dialog } from "@/components/ui/dialog"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { Select } from "@/components/ui/select"
import type { SessionWire } from "@/lib/access/credentials/schema"
import { slugOf } from "@/lib/projects/rules"
import { go } from "@/components/access/sign-in"
import { regionLabel, regionNames, type Region } from "@/lib/regions/regions"

type NewProjectProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  organizations: SessionWire["organizations"]
  current: string
}

/** Adds a project to an organization in which the user may create projects. */
export function NewProject({ open, onOpenChange, organizations, current }: NewProjectProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="New project"
      description="A project has its own emails, domains, contacts and API keys. Members and the daily limit are shared."
    >
      <NewProjectForm organizations={organizations} current={current} />
    </Dialog>
  )
}

function NewProjectForm({ organizations, current }: Pick<NewProjectProps, "organizations" | "current">) {
  const create = useCall("POST /v1/projects")
  const [first] = organizations
  const form = useApiForm({
    schema: () => import("@/lib/projects/schema").then(({ NewProject }) => NewProject),
    defaultValues: {
      organizationId: organizations.some(({ id }) => id === current) ? current : (first?.id ?? ""),
      name: "",
      slug: "",
      region: regionNames[0] as Region,
    },
    rules: { name: filled(), slug: filled() },
    leaves: true,
    async save(body) {
      const { id } = await create.mutateAsync({ body })
      // A fresh load: the session's list of projects was read before this one was created.
      go(`/projects/${id}`)
    },
  })
  const { dirtyFields } = form.formState

  /** Follows the name until the slug has been touched. */
  function suggestSlug() {
    if (dirtyFields.slug) return
    const name = form.getValues("name")
    form.setValue("slug", name.trim() ? slugOf(name) : "", { shouldDirty: false })
  }

  return (
    <Form form={form}>
      <FormRefusal form={form} title="The project was not created." />
      <Field label="Name" error={form.faultOf("name")}>
        <Input autoFocus autoComplete="off" maxLength={100} {...form.input("name", { onChange: suggestSlug })} />
      </Field>
      <Field label="Slug" hint="Used in URLs. Can be changed." error={form.faultOf("slug")}>
        <Input mono autoComplete="off" spellCheck={false} maxLength={50} {...form.input("slug")} />
      </Field>
      {organizations.length > 1 ? (
        <Field label="Organization" error={form.faultOf("organizationId")}>
          <Select
            options={organizations.map(({ id, name }) => ({ value: id, label: name }))}
            {...form.register("organizationId")}
          />
        </Field>
      ) : null}
      <Field
        label="Home region"
        hint="How email leaves is set for each region, by the operator of this installation. This is permanent."
        error={form.faultOf("region")}
      >
        <Select
          options={regionNames.map((name) => ({ value: name, label: `${regionLabel(name)}, ${name}` }))}
          {...form.register("region")}
        />
      </Field>
      <FormFooter action="Create project" saving={form.saving} />
    </Form>
  )
}
