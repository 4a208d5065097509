"use client"

import { useState, type FormEvent } from "react"
import { signIn, go, beginSignIn } from "@/components/access/sign-in"
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

type ProviderName = "github" | "google" | "oidc"

export type SignInProvider = { id: ProviderName; name: string }

const marks: Record<ProviderName, typeof GitHubMark> = { github: GitHubMark, google: GoogleMark, oidc: OidcMark }

/** Buttons to the identity providers that the operator has configured. */
export function SignInWays({ providers, wanted }: { providers: SignInProvider[]; wanted: string }) {
  const [busy, setBusy] = useState<ProviderName>()
  const [refusal, setRefusal] = useState<string>()

  async function go(provider: ProviderName) {
    setRefusal(undefined)
    setBusy(provider)
    try {
      await beginSignIn(provider, wanted)
    } catch (error) {
      setBusy(undefined)
      const { detail, title } = problemOf(error)
      setRefusal(detail ?? title)
    }
  }

  return (
    <div className="grid gap-2">
      <FormErrorSummary title="Sign-in failed" faults={refusal ? [{ message: refusal }] : []} />
      {providers.map(({ id, name }) => {
        const Mark = marks[id]
        return (
          <Button
            key={id}
            size="large"
            className="w-full"
            icon={<Mark />}
            loading={busy === id}
            onClick={() => void go(id)}
          >
            Continue with {name}
          </Button>
        )
      })}
    </div>
  )
}

/** A line between ways that exclude each other. */
export function Or() {
  return (
    <div
      role="separator"
      className="my-4 flex items-center gap-3 text-sm text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line"
    >
      or
    </div>
  )
}

/** The marks by which the providers want to be shown on their buttons, in one colour. */
function GitHubMark() {
  return (
    <svg aria-hidden="true" viewBox="0 0 16 16" className="size-4" fill="currentColor">
      <path d="M8 .2a8 8 0 0 0-2.5 15.6c.4.1.5-.2.5-.4v-1.4c-2.2.5-2.7-1-2.7-1-.4-.9-.9-1.2-.9-1.2-.7-.5.1-.5.1-.5.8.1 1.2.8 1.2.8.7 1.3 1.9.9 2.3.7.1-.5.3-.9.5-1.1-1.8-.2-3.6-.9-3.6-4 0-.9.3-1.6.8-2.1-.1-.2-.4-1 .1-2.1 0 0 .7-.2 2.2.8a7.5 7.5 0 0 1 4 0c1.5-1 2.2-.8 2.2-.8.4 1.1.2 1.9.1 2.1.5.6.8 1.3.8 2.1 0 3.1-1.9 3.7-3.7 3.9.3.3.6.8.6 1.5v2.2c0 .2.1.5.6.4A8 8 0 0 0 8 .2Z" />
    </svg>
  )
}

function OidcMark() {
  return (
    <svg aria-hidden="true" viewBox="0 0 16 16" className="size-4" fill="none" stroke="currentColor" strokeWidth="1.5">
      <circle cx="5.5" cy="10.5" r="3.25" />
      <path d="M8 8.2 13.5 2.7M11 5.2l2 2" strokeLinecap="round" />
    </svg>
  )
}

function GoogleMark() {
  return (
    <svg aria-hidden="true" viewBox="0 0 16 16" className="size-4" fill="currentColor">
      <path d="M8.2 6.8v2.7h3.8a3.3 3.3 0 0 1-1.4 2.1 4.2 4.2 0 0 1-2.4.7 4.3 4.3 0 1 1 2.7-7.6l1.9-1.9A7 7 0 1 0 8.2 15c4 0 6.7-2.8 6.7-6.8 0-.5 0-.9-.1-1.4H8.2Z" />
    </svg>
  )
}
