"use client"

import { useQuery } from "@tanstack/react-query"
import { Form, FormRefusal } from "@/components/data/form"
import { NotLoaded } from "@/components/data/load-error"
import { useCall, useOneAtATime } from "@/components/data/use-call"
import { usePageForm } from "@/components/late-parts/use-page-form"
import { noticeTarget, noticeTargetRoute } from "@/components/settings/queries"
import { Button } from "@/components/ui/button"
import { Callout } from "@/components/ui/callout"
import { Card, CardBody, CardHeader } from "@/components/ui/card"
import { ConfirmDialog } from "@/components/ui/confirm-dialog"
import { Field } from "@/components/ui/field"
import { Input } from "@/components/ui/input"
import { RelativeTime } from "@/components/ui/relative-time"
import { toast } from "@/components/ui/toast"

/** The chat to which the notices of a project are posted, and how the last posts went. */
export function NoticeTargetCard({ projectId, mayEdit }: { projectId: string; mayEdit: boolean }) {
  const params = { projectId }
  const read = useQuery(noticeTarget(projectId))
  const set = useCall("PUT /v1/projects/{projectId}/notice-target", [noticeTargetRoute])
  const form = usePageForm({
    schema: () => import("@/lib/projects/notices/schema").then(({ NewNoticeTarget }) => NewNoticeTarget),
    values: { url: "" },
    async save(body) {
      await set.mutateAsync({ params, body })
      toast.success("Saved")
    },
  })
  const target = read.data?.target
  return (
    <Card aria-label="Notices in a chat">
      {/* Its question is a form, too: it cannot be within one. */}
      <CardHeader
        title="Notices in a chat"
        description="What owners are told of by mail is posted to Slack too, or to a chat that takes the same webhooks, such as Mattermost."
        actions={target && mayEdit ? <Actions projectId={projectId} host={target.host} /> : null}
      />
      <Form form={form}>
        <CardBody className="flex flex-col gap-4">
          {target ? <LastPosts target={target} /> : null}
          {mayEdit ? (
            <>
              <FormRefusal form={form} />
              <div className="grid items-start gap-3 sm:grid-cols-[minmax(0,1fr)_auto]">
                <Field
                  label={target ? "Another webhook URL" : "Webhook URL"}
                  hint="It is a secret: only its host is shown later."
                  error={form.faultOf("url")}
                >
                  <Input
                    mono
                    maxLength={2_048}
                    autoComplete="off"
                    spellCheck={false}
                    placeholder="https://hooks.slack.com/services/…"
                    {...form.input("url")}
                  />
                </Field>
                {/* At the height of the field, below its label. */}
                <div className="sm:pt-6.5">
                  <Button type="submit" disabled={!form.dirty} loading={form.saving}>
                    Save URL
                  </Button>
                </div>
              </div>
            </>
          ) : target ? null : read.data ? (
            <p className="text-muted">No chat is set.</p>
          ) : (
            <NotLoaded read={read} label="the chat" rows={1} />
          )}
        </CardBody>
      </Form>
    </Card>
  )
}

type Target = { host: string; lastSuccessAt?: string; lastFailureAt?: string; failure?: string; statusCode?: number }

function LastPosts({ target: { host, lastSuccessAt, lastFailureAt, failure, statusCode } }: { target: Target }) {
  return (
    <>
      {failure && lastFailureAt ? (
        <Callout tone="bad" title="The last notice could not be posted">
          {failureWords(failure, statusCode)} <RelativeTime at={lastFailureAt} />
        </Callout>
      ) : null}
      <p>
        Posted to <b className="font-medium">{host}</b>.{" "}
        <span className="text-muted">
          {lastSuccessAt ? (
            <>
              Last post taken <RelativeTime at={lastSuccessAt} />
            </>
          ) : (
            "No post has been taken yet."
          )}
        </span>
      </p>
    </>
  )
}

function Actions({ projectId, host }: { projectId: string; host: string }) {
  const params = { projectId }
  const test = useCall("POST /v1/projects/{projectId}/notice-target/tests", [noticeTargetRoute])
  const remove = useCall("DELETE /v1/projects/{projectId}/notice-target", [noticeTargetRoute])

  const send = useOneAtATime(async () => {
    try {
      const { delivered, failure, statusCode } = await test.mutateAsync({ params })
      if (delivered) toast.success("The test was posted")
      else toast.error("The test could not be posted", { description: failureWords(failure ?? "", statusCode) })
    } catch {
      toast.error("The test could not be sent", { description: "Try again." })
    }
  })

  return (
    <>
      <Button loading={test.isPending} onClick={() => void send()}>
        Send a test
      </Button>
      <ConfirmDialog
        trigger={<Button variant="outlined">Remove</Button>}
        title={`Stop posting to ${host}?`}
        action="Remove chat"
        onConfirm={async () => {
          await remove.mutateAsync({ params })
          toast.success("Notices are not posted any more")
        }}
      >
        Owners still get them by mail, and everybody sees them in the dashboard.
      </ConfirmDialog>
    </>
  )
}

/** Why a post to a chat failed, and what to do. */
function failureWords(failure: string, statusCode?: number): string {
  switch (failure) {
    case "answered":
      return `It answered ${statusCode ?? "with an error"}. Slack answers 404 or 410 once a webhook was removed: create another and save its URL.`
    case "refused":
      return "Its host leads to an address that may not be reached from here. Private networks are reached only where the operator allows them."
    case "timed_out":
      return "It did not answer within 15 seconds."
    default:
      return "It could not be reached. Check the URL."
  }
}
