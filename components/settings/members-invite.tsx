"use client"

import { UserPlus } from "lucide-react"
import { useState } from "react"
import { useForm } from "react-hook-form"
import { useRole } from "@/components/access/powers"
import { applyProblem } from "@/components/api/problem"
import { Button } from "@/components/ui/button"
import { CodeBlock } from "@/components/ui/code-block"
import { CopyButton } from "@/components/ui/copy-button"
import { Dialog, DialogClose, DialogFooter } from "@/components/ui/dialog"
import { Field } from "@/components/ui/field"
import { FormErrorSummary } from "@/components/ui/form-error-summary"
import { Input } from "@/components/ui/input"
import { RadioCards } from "@/components/ui/radio-cards"
import { toast } from "@/components/ui/toast"
import { grantableRoles, roleWords } from "@/lib/access/rules"
import type { InviteWire } from "@/lib/access/members-schema"
import { useInvite } from "./members-queries"

type Fields = Pick<InviteWire, "email" | "role">
/** An invite whose link has to be passed on by hand. */
type Unsent = { email: string; url: string }

export function InviteDialog({ projectId, organization }: { projectId: string; organization: string }) {
  const [open, setOpen] = useState(false)
  const [unsent, setUnsent] = useState<Unsent>()
  function change(next: boolean) {
    setOpen(next)
    if (!next) setUnsent(undefined)
  }
  return (
    <Dialog
      trigger={<Button variant="primary" icon={<UserPlus />}>Invite</Button>}
      open={open}
      onOpenChange={change}
      title={unsent ? "Pass the link on" : `Invite to ${organization}`}
      description={unsent ? undefined : "They get a link that works once, within 7 days, for their address alone."}
    >
      {unsent ? <InviteLink {...unsent} /> : <InviteForm projectId={projectId} onUnsent={setUnsent} onSent={() => change(false)} />}
    </Dialog>
  )
}

type InviteFormProps = { projectId: string; onUnsent: (unsent: Unsent) => void; onSent: () => void }

function InviteForm({ projectId, onUnsent, onSent }: InviteFormProps) {
  const invite = useInvite()
  const form = useForm<Fields>({ defaultValues: { email: "", role: "developer" } })
  const { errors, isSubmitting } = form.formState
  const roles = grantableRoles(useRole())

  async function submit(body: Fields) {
    try {
      const { email, url } = await invite.mutateAsync({ params: { projectId }, body })
      if (url) return onUnsent({ email, url })
      onSent()
      toast.success(`${email} is invited`, { description: "The invite is on its way by email." })
    } catch (error) {
      applyProblem(form, error)
    }
  }

  return (
    <form method="post" noValidate onSubmit={form.handleSubmit(submit)}>
      <FormErrorSummary title="Nobody was invited." faults={errors.root?.message ? [{ message: errors.root.message }] : []} />
      <Field label="Email address" error={errors.email?.message}>
        <Input type="email" autoComplete="off" autoFocus {...form.register("email", { required: "Enter their address." })} />
      </Field>
      <RadioCards
        legend="Role"
        options={roles.map((value) => ({ value, label: <span className="capitalize">{value}</span>, hint: roleWords[value] }))}
        {...form.register("role")}
      />
      <DialogFooter>
        <DialogClose><Button>Cancel</Button></DialogClose>
        <Button type="submit" variant="primary" loading={isSubmitting}>Send invite</Button>
      </DialogFooter>
    </form>
  )
}

/** This installation cannot send email of its own: the link goes from hand to hand. */
export function InviteLink({ email, url }: Unsent) {
  return (
    <>
      <p className="mb-3 [overflow-wrap:anywhere] text-muted">
        This installation cannot send email of its own yet, so give this link to {email} yourself. It is shown this once, works once,
        and lets whoever opens it first make the account: send it by a way that you trust.
      </p>
      <CodeBlock code={url} name="invite link" />
      <DialogFooter>
        <CopyButton value={url}>Copy link</CopyButton>
        <DialogClose><Button variant="primary">Done</Button></DialogClose>
      </DialogFooter>
    </>
  )
}
