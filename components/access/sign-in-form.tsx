"use client"

import { useState, type FormEvent } from "react"
import { signIn, go } from "@/components/access/sign-in"
import { call, problemOf } from "@/components/data/call"
import { Form, FormRefusal, filled } from "@/components/data/form"
import { useApiForm } from "@/components/data/use-api-form"
import { Button } from "@/components/ui/button"
import { Field } from "@/components/ui/field"
import { FormErrorSummary } from "@/components/ui/form-error-summary"
import { Input, PasswordInput } from "@/components/ui/input"
import { KeyRound } from "lucide-react"
import { signInWithPasskey } from "@/components/access/passkey"

type SignInFormProps = {
  wanted: string
  /** The installation can send system email, so a link can be requested. */
  links: boolean
  /** The service has several addresses to sign in at. */
  several?: boolean
  /** The account, on the page of an invite. */
  email?: string
}

export function SignInForm({ wanted, links, several = false, email = "" }: SignInFormProps) {
  const [asks, setAsks] = useState<"link" | "find">()
  const [secondStep, setSecondStep] = useState(false)
  const [refusal, setRefusal] = useState<Refusal>()
  const [mistakes, setMistakes] = useState(0)
  const [leaving, setLeaving] = useState(false)
  const form = useApiForm({
    defaultValues: { email, password: "" },
    rules: { email: filled("Enter your address."), password: filled("Enter your password.") },
    async save(fields) {
      setRefusal(undefined)
      try {
        await signIn("password", fields, wanted)
        setLeaving(true)
      } catch (error) {
        if (wantsSecondStep(error)) return setSecondStep(true)
        const refused = refusalOf(error, mistakes)
        setRefusal(refused)
        if (!refused.wrong) return
        setMistakes(mistakes + 1)
        form.setValue("password", "")
      }
    },
  })

  function startAgain() {
    setSecondStep(false)
    form.setValue("password", "")
  }

  if (secondStep) return <SecondStep wanted={wanted} onBack={startAgain} />
  if (asks)
    return (
      <LinkRequest
        email={form.getValues("email")}
        wanted={wanted}
        find={asks === "find"}
        onBack={() => setAsks(undefined)}
      />
    )
  return (
    <Form form={form}>
      <FormErrorSummary title={refusal?.title} faults={refusal ? [refusal] : []} />
      <Field label="Email address" error={form.faultOf("email")}>
        <Input type="email" autoComplete="username" autoFocus={!email} {...form.input("email")} />
      </Field>
      <Field label="Password" error={form.faultOf("password")}>
        <PasswordInput autoComplete="current-password" {...form.input("password")} />
      </Field>
      <Button type="submit" variant="primary" size="large" className="w-full" loading={form.saving || leaving}>
        Sign in
      </Button>
      <PasskeyButton wanted={wanted} className="mt-2 w-full" onRefused={setRefusal} />
      {links ? (
        <Button variant="ghost" className="mt-2 w-full" onClick={() => setAsks("link")}>
          Email me a sign-in link
        </Button>
      ) : null}
      {links && several ? (
        <Button variant="ghost" className="mt-2 w-full" onClick={() => setAsks("find")}>
          Find your sign-in address
        </Button>
      ) : null}
    </Form>
  )
}

type Refusal = {
  title: string
  message: string
  /** The password is to be typed again; where nothing could be checked, it stays. */
  wrong?: boolean
}

/** Who mistypes once or twice need not hear of waiting. */
const mistakesBeforeWarning = 2

function refusalOf(error: unknown, mistakes: number): Refusal {
  const { code, detail, title } = problemOf(error)
  if (code === "auth.sign_in_refused")
    return {
      title: "Incorrect email or password",
      message:
        mistakes < mistakesBeforeWarning
          ? "Check both and try again."
          : "After too many failed attempts, wait 15 minutes.",
      wrong: true,
    }
  return { title, message: detail ?? "Try again.", wrong: false }
}

type LinkRequestProps = {
  email: string
  wanted: string
  /** Asks for the addresses at which somebody signs in, instead of a link. */
  find: boolean
  onBack: () => void
}

/** Requests a sign-in link by email that leads to the wanted page. The confirmation is the same for every address. */
function LinkRequest({ email, wanted, find, onBack }: LinkRequestProps) {
  const form = useApiForm({
    schema: () =>
      import("@/lib/access/credentials/schema").then(({ SignInLinkRequest }) =>
        SignInLinkRequest.omit({ wanted: true, find: true }),
      ),
    defaultValues: { email },
    rules: { email: filled("Enter your address.") },
    async save(body) {
      await call("POST /v1/session/links", { body: { ...body, ...(find ? { find } : { wanted }) } })
      setAsked(body.email.trim())
    },
  })
  const [asked, setAsked] = useState<string>()

  if (asked) {
    return (
      <div role="status">
        <p className="font-medium">Check your email</p>
        <p className="mt-1 [overflow-wrap:anywhere] text-muted">
          {find
            ? `If ${asked} has an account, an email with the addresses to sign in at is on its way.`
            : `If ${asked} has an account or an invite here, a link is on its way. It works once, within 15 minutes.`}
        </p>
        <Button className="mt-5 w-full" size="large" onClick={onBack}>
          Back
        </Button>
      </div>
    )
  }
  return (
    <Form form={form}>
      <FormRefusal form={form} title={find ? "No email was sent." : "No link was sent."} />
      {find ? (
        <p className="mb-4 text-muted">
          Each organization signs in at one of several web addresses. We email you those at which you have an account.
        </p>
      ) : null}
      <Field label="Email address" error={form.faultOf("email")}>
        <Input type="email" autoComplete="username" autoFocus {...form.input("email")} />
      </Field>
      <Button type="submit" variant="primary" size="large" className="w-full" loading={form.saving}>
        {find ? "Email me where to sign in" : "Email me a link"}
      </Button>
      <Button variant="ghost" className="mt-2 w-full" onClick={onBack}>
        {find ? "Back" : "Use a password instead"}
      </Button>
    </Form>
  )
}

export function SignInByLink({ token, wanted }: { token: string; wanted: string }) {
  const [refusal, setRefusal] = useState<string>()
  const [busy, setBusy] = useState(false)
  const [secondStep, setSecondStep] = useState(false)

  async function submit(event: FormEvent) {
    event.preventDefault()
    setRefusal(undefined)
    setBusy(true)
    try {
      await signIn("link", { token }, wanted)
    } catch (error) {
      setBusy(false)
      if (wantsSecondStep(error)) return setSecondStep(true)
      const { code, detail, title } = problemOf(error)
      setRefusal(
        code === "auth.sign_in_refused"
          ? "This link was already used, has expired, or is incomplete. Request a new one."
          : (detail ?? title),
      )
    }
  }

  // The link is used up.
  if (secondStep) return <SecondStep wanted={wanted} onBack={() => go("/sign-in")} />
  return (
    <form method="post" onSubmit={submit}>
      <FormErrorSummary title="Sign-in failed" faults={refusal ? [{ message: refusal }] : []} />
      <Button type="submit" variant="primary" size="large" className="w-full" loading={busy}>
        Sign in
      </Button>
    </form>
  )
}

/** True for the answer to a first step after which the second one is to be shown. */
function wantsSecondStep(error: unknown): boolean {
  return problemOf(error).code === "auth.second_step_required"
}

/** After an identity provider, which comes back to a page of its own. */
export function SecondStepPage({ wanted }: { wanted: string }) {
  return <SecondStep wanted={wanted} onBack={() => go("/sign-in")} />
}

/** Asks for a code of the authenticator app, or for a recovery code, and finishes signing in. */
function SecondStep({ wanted, onBack }: { wanted: string; onBack: () => void }) {
  const [refusal, setRefusal] = useState<{ title: string; message: string }>()
  const [leaving, setLeaving] = useState(false)
  const form = useApiForm({
    defaultValues: { code: "" },
    rules: { code: filled("Enter a code.") },
    async save(fields) {
      setRefusal(undefined)
      try {
        await signIn("second-step", fields, wanted)
        setLeaving(true)
      } catch (error) {
        const { title, detail } = problemOf(error)
        setRefusal({ title, message: detail ?? "Try again." })
        form.setValue("code", "")
      }
    },
  })

  return (
    <Form form={form}>
      <FormErrorSummary title={refusal?.title} faults={refusal ? [refusal] : []} />
      <Field
        label="Code"
        hint="From your authenticator app. If you have lost it, enter one of your recovery codes."
        error={form.faultOf("code")}
      >
        <Input mono autoComplete="one-time-code" autoFocus spellCheck={false} maxLength={100} {...form.input("code")} />
      </Field>
      <Button type="submit" variant="primary" size="large" className="w-full" loading={form.saving || leaving}>
        Sign in
      </Button>
      <PasskeyButton wanted={wanted} className="mt-2 w-full" onRefused={setRefusal} />
      <Button variant="ghost" className="mt-2 w-full" onClick={onBack}>
        Start again
      </Button>
    </Form>
  )
}

type PasskeyButtonProps = {
  wanted: string
  className?: string
  onRefused: (refusal: { title: string; message: string } | undefined) => void
}

/** Signs in with a passkey of this device, which needs neither address nor password. */
function PasskeyButton({ wanted, className, onRefused }: PasskeyButtonProps) {
  const [busy, setBusy] = useState(false)

  async function start() {
    onRefused(undefined)
    setBusy(true)
    try {
      await signInWithPasskey(wanted)
    } catch (error) {
      setBusy(false)
      const { code, title, detail } = problemOf(error)
      const unknown = code === "auth.sign_in_refused"
      const message = unknown ? "It was removed, or belongs to another installation." : (detail ?? "Try again.")
      onRefused({ title: unknown ? "This passkey does not sign anybody in here" : title, message })
    }
  }

  return (
    <Button size="large" icon={<KeyRound />} className={className} loading={busy} onClick={() => void start()}>
      Sign in with a passkey
    </Button>
  )
}
