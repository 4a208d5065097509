"use client"

import { useState } from "react"
import { useForm } from "react-hook-form"
import { call } from "@/components/api/call"
import { applyProblem } from "@/components/api/problem"
import { Button } from "@/components/ui/button"
import { Field } from "@/components/ui/field"
import { FormErrorSummary } from "@/components/ui/form-error-summary"
import { Input } from "@/components/ui/input"
import { RadioCards } from "@/components/ui/radio-cards"
import { passwordLength } from "@/lib/access/rules"
import { regionLabel, type RegionName } from "@/lib/projects/regions"
import { slugOf } from "@/lib/projects/rules"
import { go, signIn } from "@/components/access/sign-in"

type SetUpFormProps = { token: string; regions: { name: RegionName; sandbox: boolean }[] }

type Fields = {
  name: string
  email: string
  password: string
  organization: string
  project: { name: string; slug: string; region: RegionName | "" }
}

export function SetUpForm({ token, regions }: SetUpFormProps) {
  const form = useForm<Fields>({
    defaultValues: { name: "", email: "", password: "", organization: "", project: { name: "", slug: "", region: "" } },
  })
  const { errors, dirtyFields } = form.formState
  const [busy, setBusy] = useState(false)
  const filled = { required: "Must not be empty.", maxLength: { value: 100, message: "At most 100 characters." } }
  const { min, max } = passwordLength

  async function submit({ project, ...person }: Fields) {
    if (!project.region) return
    setBusy(true)
    try {
      const body = { ...person, token, project: { ...project, region: project.region } }
      const { projectId } = await call("POST /v1/setup", { body })
      await enter(person, `/projects/${projectId}`)
    } catch (error) {
      setBusy(false)
      applyProblem(form, error)
    }
  }

  return (
    <form method="post" noValidate onSubmit={form.handleSubmit(submit)}>
      <FormErrorSummary title="Set-up failed" faults={errors.root?.message ? [{ message: errors.root.message }] : []} />
      <fieldset>
        <legend className="mb-3 text-base font-semibold">You</legend>
        <div className="grid items-start gap-x-4 sm:grid-cols-2">
          <Field label="Your name" error={errors.name?.message} className="last:mb-4">
            <Input autoComplete="name" autoFocus {...form.register("name", filled)} />
          </Field>
          <Field label="Email address" error={errors.email?.message} className="last:mb-4">
            <Input
              type="email"
              autoComplete="username"
              {...form.register("email", { required: "Must not be empty." })}
            />
          </Field>
        </div>
        <Field
          label="Password"
          hint={`At least ${min} characters. A sentence is easier to remember than random characters.`}
          error={errors.password?.message}
        >
          <Input
            type="password"
            autoComplete="new-password"
            {...form.register("password", {
              required: "Must not be empty.",
              minLength: { value: min, message: `Must have at least ${min} characters.` },
              maxLength: { value: max, message: `Must have at most ${max} characters.` },
            })}
          />
        </Field>
      </fieldset>
      <fieldset className="mt-6 border-t border-line pt-5">
        <legend className="float-left mb-3 w-full text-base font-semibold">Your first project</legend>
        <Field
          label="Organization"
          hint="Projects of one organization share members and the daily allowance."
          error={errors.organization?.message}
          className="clear-both"
        >
          <Input autoComplete="organization" {...form.register("organization", filled)} />
        </Field>
        <div className="grid items-start gap-x-4 sm:grid-cols-2">
          <Field label="Project" error={errors.project?.name?.message} className="last:mb-4">
            <Input autoComplete="off" {...form.register("project.name", { ...filled, onChange: suggestSlug })} />
          </Field>
          <Field
            label="Slug"
            hint="Part of URLs. You can change it later."
            error={errors.project?.slug?.message}
            className="last:mb-4"
          >
            <Input
              mono
              autoComplete="off"
              spellCheck={false}
              {...form.register("project.slug", {
                required: "Must not be empty.",
                maxLength: { value: 50, message: "At most 50 characters." },
                pattern: {
                  value: /^[a-z0-9]+(?:-[a-z0-9]+)*$/,
                  message: "Lower-case letters and digits, joined by single hyphens.",
                },
              })}
            />
          </Field>
        </div>
        <RadioCards
          legend="Home region"
          columns={2}
          hint={`Where the project sends from. This is permanent.${sandboxNote(regions)}`}
          error={errors.project?.region?.message}
          options={regions.map(({ name, sandbox }) => ({
            value: name,
            label: regionLabel(name),
            hint: sandbox ? `${name}, sandbox` : name,
          }))}
          {...form.register("project.region", { required: "Choose the region." })}
        />
      </fieldset>
      <Button type="submit" variant="primary" size="large" className="mt-6 w-full" loading={busy}>
        Create account and project
      </Button>
    </form>
  )

  /** Follows the name until the slug has been touched. */
  function suggestSlug() {
    if (dirtyFields.project?.slug) return
    const name = form.getValues("project.name")
    form.setValue("project.slug", name.trim() ? slugOf(name) : "", { shouldDirty: false })
  }
}

/** The account exists now: if signing in fails, its page is where to go on. */
async function enter({ email, password }: { email: string; password: string }, path: string) {
  try {
    await signIn("password", { email, password }, path)
  } catch {
    go("/sign-in")
  }
}

function sandboxNote(regions: SetUpFormProps["regions"]): string {
  if (!regions.some(({ sandbox }) => sandbox)) return ""
  return " A sandbox region delivers nothing: its email is caught in the sandbox mailbox until the operator connects a mail server."
}
