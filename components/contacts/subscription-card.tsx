"use client"

import { useQuery } from "@tanstack/react-query"
import Link from "next/link"
import { LoadError } from "@/components/data/load-error"
import { Button } from "@/components/ui/button"
import { Card, CardBody, CardHeader } from "@/components/ui/card"
import { ConfirmDialog } from "@/components/ui/confirm-dialog"
import { KeyValues } from "@/components/ui/key-values"
import { RelativeTime } from "@/components/ui/relative-time"
import { SkeletonRows } from "@/components/ui/skeleton"
import { toast } from "@/components/ui/toast"
import type { OwnProps } from "@/components/contacts/profile-card"
import { suppressionQuery, useUpdateContact, type Suppression } from "@/components/contacts/queries"

const reasons: Record<string, string> = {
  bounce: "Bounced: the recipient's server does not accept email for this address.",
  complaint: "Complained: an email was marked as spam.",
  manual: "Added to the list manually.",
  unsubscribe: "Unsubscribed.",
}

/** Whether mail may go there, why not, and the switch for it. */
export function SubscriptionCard({ projectId, contact, mayWrite }: OwnProps) {
  const suppressed = useQuery(suppressionQuery(projectId, contact.email))
  const update = useUpdateContact()

  async function set(unsubscribed: boolean) {
    await update.mutateAsync({ params: { projectId, contactId: contact.id }, body: { unsubscribed } })
    toast.success(unsubscribed ? "Unsubscribed" : "Subscribed again")
  }

  return (
    <Card aria-label="Subscription">
      <CardHeader
        title="Subscription"
        actions={mayWrite ? <Change unsubscribed={contact.unsubscribed} email={contact.email} set={set} /> : null}
      />
      {suppressed.data ? (
        <State projectId={projectId} unsubscribed={contact.unsubscribed} suppression={suppressed.data.data[0]} />
      ) : suppressed.isError ? (
        <LoadError
          error={suppressed.error}
          title="The suppression could not be loaded"
          onRetry={() => void suppressed.refetch()}
          retrying={suppressed.isFetching}
        />
      ) : (
        <SkeletonRows rows={1} label="Loading the suppression" />
      )}
    </Card>
  )
}

type StateProps = { projectId: string; unsubscribed: boolean; suppression?: Suppression }

function State({ projectId, unsubscribed, suppression }: StateProps) {
  if (!suppression) {
    return (
      <CardBody>
        <p className="text-muted">
          {unsubscribed ? "Unsubscribed. No email is sent to this address." : "Email can be sent to this address."}
        </p>
      </CardBody>
    )
  }
  const { reason, createdAt, evidence, emailId } = suppression
  return (
    <KeyValues
      items={[
        { label: "Suppressed", value: reasons[reason] ?? reason },
        { label: "Since", value: <RelativeTime at={createdAt} /> },
        evidence ? { label: "Evidence", value: <code>{evidence}</code> } : null,
        emailId
          ? {
              label: "Email",
              value: (
                <Link
                  href={`/projects/${projectId}/emails/${emailId}`}
                  className="text-accent underline underline-offset-2"
                >
                  Open email
                </Link>
              ),
            }
          : null,
      ]}
    />
  )
}

type ChangeProps = { unsubscribed: boolean; email: string; set: (unsubscribed: boolean) => Promise<void> }

function Change({ unsubscribed, email, set }: ChangeProps) {
  return unsubscribed ? (
    <ConfirmDialog
      trigger={<Button>Subscribe again</Button>}
      title={`Subscribe ${email} again?`}
      action="Subscribe again"
      tone="primary"
      onConfirm={() => set(false)}
    >
      Do this only because the person asked for it. Their unsubscribe is removed; who did it stays in the audit log. A
      bounce or a complaint still suppresses the address.
    </ConfirmDialog>
  ) : (
    <ConfirmDialog
      trigger={<Button>Unsubscribe</Button>}
      title={`Unsubscribe ${email}?`}
      action="Unsubscribe"
      onConfirm={() => set(true)}
    >
      No email of this project is sent to them any more, password resets and receipts included, until the contact is
      subscribed again.
    </ConfirmDialog>
  )
}
