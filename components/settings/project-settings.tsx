"use client"

import { useQuery } from "@tanstack/react-query"
import { problemOf, type CallAnswer } from "@/components/data/call"
import { Card, CardHeader } from "@/components/ui/card"
import { CopyText } from "@/components/ui/copy-button"
import { ErrorState } from "@/components/ui/error-state"
import { KeyValues } from "@/components/ui/key-values"
import { useReaderTimes } from "@/components/ui/local-time"
import { Pill } from "@/components/ui/pill"
import { RelativeTime } from "@/components/ui/relative-time"
import { SkeletonRows } from "@/components/ui/loading"
import { DangerZone } from "@/components/projects/danger-zone"
import { GeneralForm, type ProjectWire } from "@/components/settings/general-form"
import { LimitGauges, LimitsForm } from "@/components/settings/limits"
import { trackingChoices } from "@/components/settings/tracking-choices"
import { NoticeTargetCard } from "@/components/settings/notice-target"
import { projectDetail } from "@/components/data/query"
import { useSavedChoice } from "@/components/data/use-saved-choice"
import { currentSession, projectRegion, projectSettings, useUpdateProject } from "@/components/settings/queries"
import { regionLabel } from "@/lib/regions/regions"
import { Field } from "@/components/ui/field"
import { Select } from "@/components/ui/select"
import { Switch } from "@/components/ui/switch"
import { toast } from "@/components/ui/toast"
import type { TlsDemand } from "@/lib/emails/message-rules"

export function ProjectSettingsView({ projectId }: { projectId: string }) {
  const inReaderTime = useReaderTimes()
  const project = useQuery(projectDetail(projectId))
  const settings = useQuery(projectSettings(projectId))
  const session = useQuery(currentSession())
  const state = useQuery(projectRegion(projectId)).data
  const error = project.error ?? settings.error
  if (error && !(project.data && settings.data)) {
    const { detail, title, requestId } = problemOf(error)
    const retry = () => void Promise.all([project.refetch(), settings.refetch()])
    return (
      <Card>
        <ErrorState message={detail ?? title} requestId={requestId} onRetry={retry} />
      </Card>
    )
  }
  if (!project.data || !settings.data)
    return (
      <Card>
        <SkeletonRows rows={8} />
      </Card>
    )

  const organization = session.data?.organizations.find(({ projects }) => projects.some(({ id }) => id === projectId))
  const mayEdit = organization === undefined || organization.role === "owner" || organization.role === "admin"
  const { region, transport, delivered, limits } = settings.data
  return (
    <>
      {mayEdit ? null : <p className="mb-4 text-muted">Only owners and admins can change these settings.</p>}
      <GeneralForm project={project.data} mayEdit={mayEdit} />
      <SavedAtOnce project={project.data} mayEdit={mayEdit} />
      <NoticeTargetCard projectId={projectId} mayEdit={mayEdit} />
      <LimitGauges projectId={projectId} />
      <LimitsForm projectId={projectId} limits={limits} mayEdit={mayEdit} />
      <Card>
        <CardHeader title="Home region" description="Permanent. The operator configures how a region sends." />
        <KeyValues
          items={[
            {
              label: "Region",
              value: (
                <>
                  {regionLabel(region)} <span className="text-muted">{region}</span>
                </>
              ),
            },
            {
              label: "Transport",
              value:
                transport === "sandbox" ? (
                  <Pill tone="warn" tip="Email from this region goes only to the sandbox mailbox.">
                    Sandbox
                  </Pill>
                ) : (
                  <Pill
                    tone="good"
                    tip={
                      transport === "direct"
                        ? "Email from this region goes straight to the recipients' mail servers."
                        : "Email from this region is delivered through a mail server."
                    }
                  >
                    {transportNames[transport] ?? "SMTP"}
                  </Pill>
                ),
            },
            {
              label: "Delivered",
              value: deliveredWords(delivered, state?.reports),
            },
            state
              ? {
                  label: "State",
                  value:
                    state.status === "up" ? (
                      <Pill tone="good">Up</Pill>
                    ) : (
                      <>
                        <Pill tone="bad">Down</Pill> {state.message ? inReaderTime(state.message) : null}
                      </>
                    ),
                }
              : null,
          ]}
        />
      </Card>
      <Card>
        <CardHeader title="IDs" description="For the API and for support." />
        <KeyValues
          items={[
            { label: "Project", value: <CopyText value={projectId} name="project id" inline /> },
            organization
              ? { label: "Organization", value: <CopyText value={organization.id} name="organization id" inline /> }
              : null,
            { label: "Created", value: <RelativeTime at={project.data.createdAt} /> },
          ]}
        />
      </Card>
      <DangerZone project={project.data} />
    </>
  )
}

const transportNames: Partial<Record<string, string>> = { direct: "Direct", ses: "Amazon SES" }

type Settings = CallAnswer<"GET /v1/projects/{projectId}/settings">
type Reports = CallAnswer<"GET /v1/projects/{projectId}/region">["reports"]

function deliveredWords(delivered: Settings["delivered"], reports: Reports): string {
  if (delivered === "accept") return "When the next server accepts the email"
  if (delivered === "events") return "When an event of Amazon SES says that the recipient's server has the email"
  if (reports === "asked") return "When a report says that the recipient's server has the email"
  if (reports === "not_offered") return "Not reported, since the relay offers no delivery reports: email stays at Sent"
  if (reports === "not_proved")
    return "Not reported until the operator's loop test of the region has passed: email stays at Sent"
  return "Not reported: email stays at Sent once the relay accepts it"
}

type Tracking = ProjectWire["trackingSettings"]

/** What is saved at once. Its cards save together: one may be pressed while another is being saved. */
function SavedAtOnce({ project, mayEdit }: { project: ProjectWire; mayEdit: boolean }) {
  const { shown, choose } = useSavedAtOnce(project)
  const switches = { shown, mayEdit, onChoose: choose }
  return (
    <>
      <Card>
        <CardHeader
          title="Tracking"
          description="What HTML email to a single recipient reports about its reader. Each email can override all but the scroll depth."
        />
        <Switches {...switches} />
      </Card>
      <Card>
        <CardHeader
          title="Encryption"
          description="Of connections to recipients' mail servers, in regions that send directly. Email waits where a server does not do that. Each email can override it."
        />
        <div className="px-4 py-3">
          <Field label="Encrypt">
            <Select
              className="sm:w-96"
              value={shown.tls}
              options={encryption}
              disabled={!mayEdit}
              onChange={({ target }) => choose({ tls: encryption.find(({ value }) => value === target.value)?.value })}
            />
          </Field>
        </div>
      </Card>
    </>
  )
}

const encryption: { value: TlsDemand; label: string }[] = [
  { value: "opportunistic", label: "Where the server offers it" },
  { value: "required", label: "Always" },
  { value: "verified", label: "Always, with a valid certificate" },
]

type AtOnce = Partial<Tracking> & { tls?: TlsDemand | undefined }

/** Only what was chosen is sent: the rest may have been changed by others. */
function useSavedAtOnce(project: ProjectWire) {
  const update = useUpdateProject()
  const [chosen, choose] = useSavedChoice<AtOnce>(async ({ tls, ...switched }) => {
    const trackingSettings = { ...project.trackingSettings, ...switched }
    const body = { ...(tls && { tls }), ...(Object.keys(switched).length > 0 && { trackingSettings }) }
    await update.mutateAsync({ params: { projectId: project.id }, body })
  })
  function choosePart(part: AtOnce) {
    choose((before) => ({ ...before, ...part })).catch((error: unknown) =>
      toast.error("The setting was not saved", { description: problemOf(error).detail }),
    )
  }
  return { shown: { ...project.trackingSettings, tls: project.tls, ...chosen }, choose: choosePart }
}

type SwitchesProps = {
  shown: Tracking
  mayEdit: boolean
  onChoose: (part: Partial<Tracking>) => void
}

function Switches({ shown, mayEdit, onChoose }: SwitchesProps) {
  return (
    <div className="divide-y divide-line">
      {trackingChoices.map(({ name, label, hint }) => (
        <div key={name} className="px-4 py-3">
          <Switch
            label={label}
            hint={hint}
            checked={shown[name] ?? false}
            disabled={!mayEdit}
            onChange={({ target }) => onChoose({ [name]: target.checked })}
          />
        </div>
      ))}
    </div>
  )
}
