"use client"

import { useQuery } from "@tanstack/react-query"
import { lazy, Suspense, useState } from "react"
import { useConfirmation } from "@/components/access/confirm-identity"
import { problemOf } from "@/components/data/call"
import { NotLoaded } from "@/components/data/load-error"
import {
  secondFactor,
  useBeginTotp,
  useCreateRecoveryCodes,
  useDisableTotp,
  passkeys,
  useDeletePasskey,
} from "@/components/settings/queries"
import { Button, IconButton, ButtonLink } from "@/components/ui/button"
import { Card, CardHeader } from "@/components/ui/card"
import { ConfirmDialog } from "@/components/ui/confirm-dialog"
import { Dialog } from "@/components/ui/dialog"
import { Pill } from "@/components/ui/pill"
import { RelativeTime } from "@/components/ui/relative-time"
import { toast } from "@/components/ui/toast"
import type { Api } from "@/lib/api/registry"
import { Pencil, Trash2 } from "lucide-react"
import type { PasskeyWire } from "@/lib/access/passkeys/schema"
import { go, signOut } from "@/components/access/sign-in"
import { Logo } from "@/components/layout/bare-page"

const loadForms = () => import("@/components/settings/second-factor-forms")
const TotpSetup = lazy(async () => ({ default: (await loadForms()).TotpSetup }))
const RecoveryCodes = lazy(async () => ({ default: (await loadForms()).RecoveryCodes }))
const AddPasskey = lazy(async () => ({ default: (await loadForms()).AddPasskey }))
const RenamePasskey = lazy(async () => ({ default: (await loadForms()).RenamePasskey }))

type NewTotp = Api["POST /v1/session/totp"]["answer"]

/** What signing in asks for besides the first step. */
export function SecondFactorCard() {
  const factor = useQuery(secondFactor())
  const begin = useBeginTotp()
  const renew = useCreateRecoveryCodes()
  const confirmation = useConfirmation()
  const [setup, setSetup] = useState<NewTotp>()
  const [codes, setCodes] = useState<string[]>()
  const disable = useDisableTotp()

  /** Does it, after a fresh proof of identity if that is asked for. */
  async function guarded(act: () => Promise<void>, failed: string) {
    try {
      await act()
    } catch (error) {
      if (confirmation.ask(error, () => void guarded(act, failed))) return
      toast.error(failed, { description: problemOf(error).detail })
    }
  }
  const startSetup = () =>
    guarded(async () => setSetup(await begin.mutateAsync({})), "The authenticator app was not set up")
  const makeCodes = () =>
    guarded(async () => setCodes((await renew.mutateAsync({})).recoveryCodes), "No new codes were made")
  const remove = () =>
    guarded(async () => {
      await disable.mutateAsync({})
      toast.success("The authenticator app is removed")
    }, "The authenticator app was not removed")

  return (
    <Card>
      <CardHeader
        title="Two-factor authentication"
        description="A second step after your password, link or provider, so that none of them is enough to sign in as you."
      />
      {factor.data ? (
        <div className="divide-y divide-line">
          <Row
            name="Authenticator app"
            state={
              factor.data.totpSince ? (
                <>
                  <Pill tone="good">On</Pill> since <RelativeTime at={factor.data.totpSince} />
                </>
              ) : (
                "Shows a code of 6 digits that changes every 30 seconds."
              )
            }
          >
            {factor.data.totpSince ? (
              <ConfirmDialog
                trigger={<Button>Remove</Button>}
                title="Remove the authenticator app?"
                action="Remove app"
                onConfirm={remove}
              >
                Signing in no longer asks for its codes. Without a passkey one step is enough again, and your recovery
                codes end.
              </ConfirmDialog>
            ) : (
              <Button loading={begin.isPending} onClick={() => void startSetup()}>
                Set up
              </Button>
            )}
          </Row>
          <Passkeys guarded={guarded} onCodes={setCodes} />
          {factor.data.totpSince || factor.data.passkeys ? (
            <Row name="Recovery codes" state={codesLeft(factor.data.recoveryCodesLeft)}>
              <ConfirmDialog
                trigger={<Button>Make new codes</Button>}
                title="Make new recovery codes?"
                action="Make new codes"
                tone="primary"
                onConfirm={makeCodes}
              >
                The codes that you have now stop working.
              </ConfirmDialog>
            </Row>
          ) : null}
        </div>
      ) : (
        <NotLoaded read={factor} label="two-factor authentication" rows={2} />
      )}
      <Dialog
        open={setup !== undefined}
        onOpenChange={(open) => (open ? undefined : setSetup(undefined))}
        title="Set up an authenticator app"
        description="Every other browser is signed out once it is set up."
      >
        <Suspense>
          {setup ? (
            <TotpSetup
              {...setup}
              onDone={(made) => {
                setSetup(undefined)
                setCodes(made)
              }}
            />
          ) : null}
        </Suspense>
      </Dialog>
      <Dialog
        open={codes !== undefined}
        onOpenChange={(open) => (open ? undefined : setCodes(undefined))}
        locked
        title="Your recovery codes"
        description="Each signs you in once if you lose your device. They are not shown again."
      >
        <Suspense>{codes ? <RecoveryCodes codes={codes} /> : null}</Suspense>
      </Dialog>
      {confirmation.dialog}
    </Card>
  )
}

type RowProps = { name: string; state: React.ReactNode; children: React.ReactNode }

function Row({ name, state, children }: RowProps) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-3">
      <div className="min-w-0">
        <h3 className="font-medium">{name}</h3>
        <p className="mt-0.5 text-muted">{state}</p>
      </div>
      {children}
    </div>
  )
}

function codesLeft(count: number) {
  if (count === 0) return <Pill tone="bad">None left</Pill>
  const words = `${count} of 10 left`
  return count <= 3 ? <Pill tone="warn">{words}</Pill> : words
}

type PasskeysProps = {
  /** Does it, after a fresh proof of identity if that is asked for; says `failed` if it fails. */
  guarded: (act: () => Promise<void>, failed: string) => Promise<void>
  onCodes: (recoveryCodes: string[]) => void
}

/** The passkeys of the user, and ways to add, rename and remove them. */
function Passkeys({ guarded, onCodes }: PasskeysProps) {
  const list = useQuery(passkeys())
  const [adding, setAdding] = useState(false)
  if (!list.data) return <NotLoaded read={list} label="passkeys" rows={1} />
  return (
    <div className="px-4 py-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="min-w-0">
          <h3 className="font-medium">Passkeys</h3>
          <p className="mt-0.5 text-muted">Sign in with fingerprint, face or PIN of a device, without a password.</p>
        </div>
        <Button onClick={() => setAdding(true)}>Add passkey</Button>
      </div>
      {list.data.data.length ? (
        <ul aria-label="Passkeys" className="mt-3 divide-y divide-line rounded-md border border-line">
          {list.data.data.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} guarded={guarded} />
          ))}
        </ul>
      ) : null}
      <Dialog open={adding} onOpenChange={setAdding} size="small" title="Add a passkey">
        <Suspense>
          <AddPasskey
            onAdded={(codes) => {
              setAdding(false)
              if (codes) onCodes(codes)
            }}
          />
        </Suspense>
      </Dialog>
    </div>
  )
}

function PasskeyRow({ passkey, guarded }: { passkey: PasskeyWire; guarded: PasskeysProps["guarded"] }) {
  const remove = useDeletePasskey()
  const [renaming, setRenaming] = useState(false)
  const { id, name, lastUsedAt, createdAt } = passkey
  const confirm = () =>
    guarded(async () => {
      await remove.mutateAsync({ params: { passkeyId: id } })
    }, "The passkey was not removed")
  return (
    <li className="flex items-center justify-between gap-3 py-2 pr-2 pl-3">
      <div className="min-w-0">
        <span className="block font-medium [overflow-wrap:anywhere]">{name}</span>
        <span className="text-muted">
          Added <RelativeTime at={createdAt} />,{" "}
          {lastUsedAt ? (
            <>
              last used <RelativeTime at={lastUsedAt} />
            </>
          ) : (
            "not used yet"
          )}
        </span>
      </div>
      <span className="flex shrink-0">
        <IconButton label={`Rename ${name}`} icon={<Pencil />} onClick={() => setRenaming(true)} />
        <ConfirmDialog
          trigger={<IconButton label={`Remove ${name}`} icon={<Trash2 />} />}
          title={`Remove ${name}?`}
          action="Remove passkey"
          onConfirm={confirm}
        >
          It signs in no longer. Delete it in your device or password manager as well.
        </ConfirmDialog>
      </span>
      <Dialog open={renaming} onOpenChange={setRenaming} size="small" title={`Rename ${name}`}>
        <Suspense>
          <RenamePasskey passkey={passkey} onRenamed={() => setRenaming(false)} />
        </Suspense>
      </Dialog>
    </li>
  )
}

type RequiredSecondFactorProps = {
  email: string
  /** Those that require it. */
  organizations: readonly string[]
  /** Where the way leads on to. */
  wanted: string
  /** The person has projects elsewhere, which nothing is required for. */
  hasOthers: boolean
}

/** The step before the projects of an organization that requires a second factor. */
export function RequiredSecondFactor({ email, organizations, wanted, hasOthers }: RequiredSecondFactorProps) {
  const { data: factor } = useQuery(secondFactor())
  const isSetUp = Boolean(factor && (factor.totpSince || factor.passkeys))
  return (
    <main className="mx-auto grid max-w-160 gap-4 px-4 py-10">
      <div className="flex items-center gap-2.5 text-lg font-semibold">
        <Logo />
        Mailroom
      </div>
      <div>
        <h1 className="text-2xl font-semibold tracking-[-0.01em]">Set up two-factor authentication</h1>
        <p className="mt-1 text-muted">
          {organizations.join(", ")} {organizations.length > 1 ? "require" : "requires"} it of every member. Set up an
          authenticator app or add a passkey to see {organizations.length > 1 ? "their" : "its"} projects.
        </p>
      </div>
      <SecondFactorCard />
      <div className="flex flex-wrap items-center justify-between gap-3">
        <span className="text-muted">
          Signed in as <span className="[overflow-wrap:anywhere]">{email}</span>
        </span>
        <span className="flex flex-wrap gap-2">
          <Button variant="ghost" onClick={() => void signOut()}>
            Sign out
          </Button>
          {hasOthers && !isSetUp ? (
            <ButtonLink href="/" prefetch={false}>
              Other projects
            </ButtonLink>
          ) : null}
          <Button variant="primary" disabled={!isSetUp} onClick={() => go(wanted)}>
            Continue
          </Button>
        </span>
      </div>
    </main>
  )
}
