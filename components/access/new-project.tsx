"use client"

import { useForm } from "react-hook-form"
import { applyProblem } from "@/components/api/problem"
import { useCall } from "@/components/api/use-call"
import { Button } from "@/components/ui/button"
import { Dialog, DialogClose, DialogFooter } from "@/components/ui/dialog"
import { Field } from "@/components/ui/field"
import { FormErrorSummary } from "@/components/ui/form-error-summary"
import { Input } from "@/components/ui/input"
import { Select } from "@/components/ui/select"
import type { SessionWire } from "@/lib/access/credentials/schema"
import { regionLabel, regionNames, type RegionName } from "@/lib/projects/regions"
import { slugOf } from "@/lib/projects/rules"
import { go } from "@/components/access/sign-in"

type Fields = { organizationId: string; name: string; slug: string; region: RegionName | "" }

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
  const form = useForm<Fields>({
    defaultValues: {
      organizationId: organizations.some(({ id }) => id === current) ? current : (first?.id ?? ""),
      name: "",
      slug: "",
      region: "",
    },
  })
  const { errors, isSubmitting, dirtyFields } = form.formState

  async function submit({ region, ...rest }: Fields) {
    if (!region) return
    try {
      const { id } = await create.mutateAsync({ body: { ...rest, region } })
      // A fresh load: the session's list of projects was read before this one was created.
      go(`/projects/${id}`)
    } catch (error) {
      applyProblem(form, error)
    }
  }
  /** Follows the name until the slug has been touched. */
  function suggestSlug() {
    if (dirtyFields.slug) return
    const name = form.getValues("name")
    form.setValue("slug", name.trim() ? slugOf(name) : "", { shouldDirty: false })
  }

  return (
    <form method="post" noValidate onSubmit={form.handleSubmit(submit)}>
      <FormErrorSummary
        title="The project was not created."
        faults={errors.root?.message ? [{ message: errors.root.message }] : []}
      />
      <Field label="Name" error={errors.name?.message}>
        <Input
          autoFocus
          autoComplete="off"
          maxLength={100}
          {...form.register("name", {
            validate: (name) => name.trim() !== "" || "Must not be empty.",
            onChange: suggestSlug,
          })}
        />
      </Field>
      <Field label="Slug" hint="Part of URLs. You can change it later." error={errors.slug?.message}>
        <Input
          mono
          autoComplete="off"
          spellCheck={false}
          maxLength={50}
          {...form.register("slug", {
            required: "Must not be empty.",
            pattern: {
              value: /^[a-z0-9]+(?:-[a-z0-9]+)*$/,
              message: "Lower-case letters and digits, joined by single hyphens.",
            },
          })}
        />
      </Field>
      {organizations.length > 1 ? (
        <Field label="Organization" error={errors.organizationId?.message}>
          <Select
            options={organizations.map(({ id, name }) => ({ value: id, label: name }))}
            {...form.register("organizationId")}
          />
        </Field>
      ) : null}
      <Field label="Home region" hint="Where the project sends from. This is permanent." error={errors.region?.message}>
        <Select
          options={[
            { value: "", label: "Choose…", disabled: true },
            ...regionNames.map((name) => ({ value: name, label: `${regionLabel(name)}, ${name}` })),
          ]}
          {...form.register("region", { required: "Choose the region." })}
        />
      </Field>
      <DialogFooter>
        <DialogClose>
          <Button>Cancel</Button>
        </DialogClose>
        <Button type="submit" variant="primary" loading={isSubmitting}>
          Create project
        </Button>
      </DialogFooter>
    </form>
  )
}
