"use client"

import { useState } from "react"
import { go, signIn, signOut } from "@/components/access/sign-in"
import { Or, type SignInProvider, SignInWays } from "@/components/access/sign-in-form"
import { call, problemOf } from "@/components/data/call"
import { Form, FormRefusal, filled } from "@/components/data/form"
import { useApiForm } from "@/components/data/use-api-form"
import { Button } from "@/components/ui/button"
import { Field } from "@/components/ui/field"
import { FormErrorSummary } from "@/components/ui/form-error-summary"
import { Input } from "@/components/ui/input"
import { passwordLength } from "@/lib/access/rules"

/** Creates the account of the invited address, and signs in. */
export function AcceptInviteForm({ token, email }: { token: string; email: string }) {
  const form = useApiForm({
    schema: () => import("@/lib/access/people/schema").then(({ AcceptInvite }) => AcceptInvite.omit({ token: true })),
    defaultValues: { name: "", password: "" },
    rules: { name: filled(), password: filled() },
    leaves: true,
    async save(body) {
      await call("POST /v1/invites/accept", { body: { token, ...body } })
      // The account exists now: if signing in fails, its page is where to go on.
      await signIn("password", { email, password: body.password }).catch(() => go("/sign-in"))
    },
  })

  return (
    <Form form={form}>
      <FormRefusal form={form} title="You have not joined." />
      <Field label="Email address" hint="The invite is for this address only.">
        <Input type="email" autoComplete="username" value={email} readOnly />
      </Field>
      <Field label="Your name" error={form.faultOf("name")}>
        <Input autoComplete="name" autoFocus {...form.input("name")} />
      </Field>
      <Field label="Password" hint={`At least ${passwordLength.min} characters.`} error={form.faultOf("password")}>
        <Input type="password" autoComplete="new-password" {...form.input("password")} />
      </Field>
      <Button type="submit" variant="primary" size="large" className="w-full" loading={form.saving}>
        Create account and join
      </Button>
    </Form>
  )
}

type JoinByInviteProps = { token: string; organization: string; invited: string; signedIn: string }

/** The invite for a signed-in user: one click joins, unless the invite is for another address. */
export function JoinByInviteForm({ token, organization, invited, signedIn }: JoinByInviteProps) {
  const [refusal, setRefusal] = useState<string>()
  const [busy, setBusy] = useState(false)

  async function attempt(work: () => Promise<void>) {
    setRefusal(undefined)
    setBusy(true)
    try {
      await work()
    } catch (error) {
      setBusy(false)
      const { detail, title } = problemOf(error)
      setRefusal(detail ?? title)
    }
  }

  async function join() {
    await call("POST /v1/session/invites", { body: { token } })
    go("/")
  }

  if (invited !== signedIn) {
    return (
      <>
        <p className="[overflow-wrap:anywhere] text-muted">
          You are signed in as <b className="font-medium text-text">{signedIn}</b>. The invite is for another address.
          Sign out, then open the link again.
        </p>
        <FormErrorSummary title="You could not be signed out." faults={refusal ? [{ message: refusal }] : []} />
        <Button
          variant="primary"
          size="large"
          className="mt-5 w-full"
          loading={busy}
          onClick={() => void attempt(() => signOut())}
        >
          Sign out
        </Button>
      </>
    )
  }
  return (
    <>
      <FormErrorSummary title="You have not joined." faults={refusal ? [{ message: refusal }] : []} />
      <Button variant="primary" size="large" className="w-full" loading={busy} onClick={() => void attempt(join)}>
        Join {organization}
      </Button>
    </>
  )
}

type ProveAddressProps = { email: string; wanted: string; links: boolean; providers: SignInProvider[] }

/** For an account with an unproven address: the ways to prove it, each of which leads back to the invite. */
export function ProveAddress({ email, wanted, links, providers }: ProveAddressProps) {
  const possible = links || providers.length > 0
  return (
    <>
      <p className="mb-4 [overflow-wrap:anywhere] text-muted">
        {possible
          ? `Verify ${email} before you join: sign in once in one of these ways.`
          : `Verify ${email} before you join. Ask the operator of this installation for a sign-in link, then open this invite again.`}
      </p>
      {providers.length ? <SignInWays providers={providers} wanted={wanted} /> : null}
      {providers.length && links ? <Or /> : null}
      {links ? <MailedLink email={email} wanted={wanted} /> : null}
    </>
  )
}

function MailedLink({ email, wanted }: { email: string; wanted: string }) {
  const [state, setState] = useState<"idle" | "busy" | "sent">("idle")
  const [refusal, setRefusal] = useState<string>()

  async function send() {
    setRefusal(undefined)
    setState("busy")
    try {
      await call("POST /v1/session/links", { body: { email, wanted } })
      setState("sent")
    } catch (error) {
      setState("idle")
      const { detail, title } = problemOf(error)
      setRefusal(detail ?? title)
    }
  }

  if (state === "sent") {
    return (
      <div role="status">
        <p className="font-medium">Check your email</p>
        <p className="mt-1 [overflow-wrap:anywhere] text-muted">
          A sign-in link is on its way to {email}. It works once, within 15 minutes.
        </p>
      </div>
    )
  }
  return (
    <>
      <FormErrorSummary title="No link was sent." faults={refusal ? [{ message: refusal }] : []} />
      <Button variant="primary" size="large" className="w-full" loading={state === "busy"} onClick={() => void send()}>
        Email me a sign-in link
      </Button>
    </>
  )
}
