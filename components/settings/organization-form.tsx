"use client"

import { useRouter } from "next/navigation"
import { Form, FormRefusal } from "@/components/data/form"
import { filled } from "@/components/data/form-rules"
import { usePageForm } from "@/components/late-parts/use-page-form"
import { SaveFooter } from "@/components/settings/general-form"
import { useRenameOrganization } from "@/components/settings/queries"
import { Card, CardBody, CardHeader } from "@/components/ui/card"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { toast } from "@/components/ui/toast"

/** The name of the organization, for its owners. */
export function OrganizationForm({ projectId, name }: { projectId: string; name: string }) {
  const router = useRouter()
  const rename = useRenameOrganization()
  const form = usePageForm({
    schema: () => import("@/lib/access/organization/schema").then(({ OrganizationChange }) => OrganizationChange),
    values: { name },
    rules: { name: filled("Enter a name.") },
    async save(body) {
      await rename.mutateAsync({ params: { projectId }, body })
      toast.success("Saved")
      // The page and the shell around it have the name from the server.
      router.refresh()
    },
  })
  return (
    <Card>
      <Form form={form}>
        <CardHeader title="Organization name" description="Members see it, and the people you invite." />
        <CardBody>
          <FormRefusal form={form} />
          <Field label="Name" error={form.faultOf("name")} className="sm:max-w-md">
            <Input maxLength={100} autoComplete="off" {...form.input("name")} />
          </Field>
        </CardBody>
        <SaveFooter dirty={form.dirty} saving={form.saving} onReset={form.discard} />
      </Form>
    </Card>
  )
}
