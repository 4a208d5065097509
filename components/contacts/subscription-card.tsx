"use client"

import { useQuery } from "@tanstack/react-query"
import Link from "next/link"
import { Button } from "@/components/ui/button"
import { Card, CardBody, CardHeader } from "@/components/ui/card"
import { ConfirmDialog } from "@/components/ui/confirm-dialog"
import { KeyValues } from "@/components/ui/key-values"
import { RelativeTime } from "@/components/ui/relative-time"
import { toast } from "@/components/ui/toast"
import type { OwnProps } from "./profile-card"
import { suppressionQuery, useUpdateContact } from "./queries"

const reasons: Record<string, string> = {
  bounce: "Bounced: its server says that the address takes no mail.",
  complaint: "Complained: mail was reported as unwanted.",
  manual: "Added to the list by hand.",
  unsubscribe: "Unsubscribed.",
}

/** Whether mail may go there, why not, and the switch for it. */
export function SubscriptionCard({ projectId, contact, mayWrite }: OwnProps) {
  const list = useQuery(suppressionQuery(projectId, contact.email)).data?.data ?? []
  const suppression = list.find(({ email }) => email === contact.email)
  const update = useUpdateContact()

  async function set(unsubscribed: boolean) {
    await update.mutateAsync({ params: { projectId, contactId: contact.id }, body: { unsubscribed } })
    toast.success(unsubscribed ? "Unsubscribed" : "Subscribed again")
  }

  return (
    <Card aria-label="Subscription">
      <CardHeader title="Subscription" actions={mayWrite ? <Change unsubscribed={contact.unsubscribed} email={contact.email} set={set} /> : null} />
      {suppression ? (
        <KeyValues
          items={[
            { label: "No mail", value: reasons[suppression.reason] ?? suppression.reason },
            { label: "Since", value: <RelativeTime at={suppression.createdAt} /> },
            suppression.evidence ? { label: "Evidence", value: <code>{suppression.evidence}</code> } : null,
            suppression.emailId
              ? {
                  label: "Email",
                  value: (
                    <Link href={`/projects/${projectId}/emails/${suppression.emailId}`} className="text-accent underline underline-offset-2">
                      The one that led to it
                    </Link>
                  ),
                }
              : null,
          ]}
        />
      ) : (
        <CardBody><p className="text-muted">Mail may go to this address.</p></CardBody>
      )}
    </Card>
  )
}

type ChangeProps = { unsubscribed: boolean; email: string; set: (unsubscribed: boolean) => Promise<void> }

function Change({ unsubscribed, email, set }: ChangeProps) {
  return unsubscribed ? (
    <ConfirmDialog
      trigger={<Button>Subscribe again</Button>}
      title={`Write to ${email} again?`}
      action="Subscribe again"
      tone="primary"
      onConfirm={() => set(false)}
    >
      Do this only because the person asked for it. Their unsubscribe is removed; who did it stays in the audit log. A bounce or
      a complaint keeps mail away as before.
    </ConfirmDialog>
  ) : (
    <ConfirmDialog trigger={<Button>Unsubscribe</Button>} title={`Unsubscribe ${email}?`} action="Unsubscribe" onConfirm={() => set(true)}>
      No mail of this project goes there any more, password resets and receipts included, until the contact is subscribed again.
    </ConfirmDialog>
  )
}
