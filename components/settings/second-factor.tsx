"use client"

import { useQuery } from "@tanstack/react-query"
import { lazy, Suspense, useState } from "react"
import { useConfirmation } from "@/components/access/confirm-identity"
import { problemOf } from "@/components/data/call"
import { NotLoaded } from "@/components/data/load-error"
import { secondFactor, useBeginTotp, useCreateRecoveryCodes, useDisableTotp } from "@/components/settings/queries"
import { Passkeys } from "@/components/settings/passkeys"
import { Button } from "@/components/ui/button"
import { Card, CardHeader } from "@/components/ui/card"
import { ConfirmDialog } from "@/components/ui/confirm-dialog"
import { Dialog } from "@/components/ui/dialog"
import { Pill } from "@/components/ui/pill"
import { RelativeTime } from "@/components/ui/relative-time"
import { toast } from "@/components/ui/toast"
import type { Api } from "@/lib/api/registry"

const TotpSetup = lazy(() => import("@/components/settings/totp-setup"))
const RecoveryCodes = lazy(() => import("@/components/settings/recovery-codes"))

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
