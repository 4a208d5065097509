"use client"

import { call } from "@/components/data/call"
import { Form, FormRefusal, filled } from "@/components/data/form"
import { useApiForm } from "@/components/data/use-api-form"
import { Button } from "@/components/ui/button"
import { Field } from "@/components/ui/field"
import { Input, PasswordInput } from "@/components/ui/input"
import { Select } from "@/components/ui/select"
import { passwordLength } from "@/lib/access/rules"
import { slugOf } from "@/lib/projects/rules"
import { go, signIn } from "@/components/access/sign-in"
import { regionLabel, type Region } from "@/lib/regions/regions"

type SetUpFormProps = { token: string; regions: { name: Region; sandbox: boolean }[] }

export function SetUpForm({ token, regions }: SetUpFormProps) {
  const form = useApiForm({
    schema: () => import("@/lib/projects/set-up-schema").then(({ SetUp }) => SetUp.omit({ token: true })),
    defaultValues: {
      name: "",
      email: "",
      password: "",
      organization: "",
      project: { name: "Main", slug: "main", region: (regions[0]?.name ?? "") as Region | "" },
    },
    rules: {
      password: filled(),
      "project.slug": filled(),
    },
    leaves: true,
    async save(body) {
      const { projectId } = await call("POST /v1/setup", { body: { ...body, token } })
      await enter(body, `/projects/${projectId}`)
    },
  })
  const { dirtyFields } = form.formState

  return (
    <Form form={form}>
      <FormRefusal form={form} title="Set-up failed" />
      <fieldset>
        <legend className="mb-3 text-base font-semibold">You</legend>
        <div className="grid items-start gap-x-4 sm:grid-cols-2">
          <Field label="Your name" error={form.faultOf("name")} className="last:mb-4">
            <Input autoComplete="name" autoFocus {...form.input("name")} />
          </Field>
          <Field label="Email address" error={form.faultOf("email")} className="last:mb-4">
            <Input type="email" autoComplete="username" {...form.input("email")} />
          </Field>
        </div>
        <Field
          label="Password"
          hint={`At least ${passwordLength.min} characters. A sentence is easy to remember.`}
          error={form.faultOf("password")}
        >
          <PasswordInput autoComplete="new-password" {...form.input("password")} />
        </Field>
      </fieldset>
      <fieldset className="mt-6 border-t border-line pt-5">
        <legend className="float-left mb-3 w-full text-base font-semibold">Your first project</legend>
        <Field
          label="Organization"
          hint="Projects of one organization share members and the daily allowance."
          error={form.faultOf("organization")}
          className="clear-both"
        >
          <Input autoComplete="organization" {...form.input("organization")} />
        </Field>
        <div className="grid items-start gap-x-4 sm:grid-cols-2">
          <Field label="Project" error={form.faultOf("project.name")} className="last:mb-4">
            <Input autoComplete="off" {...form.input("project.name", { onChange: suggestSlug })} />
          </Field>
          <Field
            label="Slug"
            hint="Used in URLs. Can be changed."
            error={form.faultOf("project.slug")}
            className="last:mb-4"
          >
            <Input mono autoComplete="off" spellCheck={false} {...form.input("project.slug")} />
          </Field>
        </div>
        <Field
          label="Home region"
          hint={`How email leaves is set for each region. ${regionsNote(regions)}`}
          error={form.faultOf("project.region")}
        >
          <Select
            options={regions.map(({ name, sandbox }) => ({
              value: name,
              label: `${regionLabel(name)}, ${name}${sandbox ? ", sandbox" : ""}`,
            }))}
            {...form.register("project.region")}
          />
        </Field>
      </fieldset>
      <Button type="submit" variant="primary" size="large" className="mt-6 w-full" loading={form.saving}>
        Create account
      </Button>
    </Form>
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

/** What the choice decides. Where every region is a sandbox, or none, the regions differ by their names alone. */
function regionsNote(regions: SetUpFormProps["regions"]): string {
  const sandboxes = regions.filter(({ sandbox }) => sandbox).length
  const isMixed = sandboxes > 0 && sandboxes < regions.length
  const choice = isMixed ? "" : "The regions of this server differ by name and settings, not by place. "
  const note = " In a sandbox region email stays on this machine until the operator connects a mail server."
  return `${choice}This is permanent.${sandboxes > 0 ? note : ""}`
}
