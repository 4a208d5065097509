"use client"

import { useQuery, useQueryClient } from "@tanstack/react-query"
import { lazy, Suspense, useState } from "react"
import { problemOf } from "@/components/data/call"
import { useCall } from "@/components/data/use-call"
import { bimiWords, DomainStatusPill } from "@/components/domains/statuses"
import { bimiQuery, type Domain, domainQuery, logoAddress } from "@/components/domains/queries"
import { Button } from "@/components/ui/button"
import { Card, CardHeader } from "@/components/ui/card"
import { CopyText } from "@/components/ui/copy-button"
import { Dialog } from "@/components/ui/dialog"
import { Pill, type Tone } from "@/components/ui/pill"
import { Skeleton, SkeletonRows } from "@/components/ui/loading"
import { toast } from "@/components/ui/toast"

const loadForm = () => import("@/components/domains/domain-forms").then((loaded) => ({ default: loaded.BimiForm }))
const BimiForm = lazy(loadForm)

type BimiCardProps = { domain: Domain; projectId: string; mayWrite: boolean }

/** The logo that mail programs show: preview, record, and what else decides whether it is shown. */
export function BimiCard({ domain, projectId, mayWrite }: BimiCardProps) {
  const [open, setOpen] = useState(false)
  const record = domain.verificationRecords.bimi
  // Only what is there can be different.
  const absent = domain.bimiStatus === "failed" && !record?.found?.length && !record?.likelyCause
  const state = bimiWords(absent ? "pending" : domain.bimiStatus)
  return (
    <Card aria-label="BIMI">
      <CardHeader
        title={
          <span className="flex items-center gap-2">
            BIMI <DomainStatusPill words={state} />
          </span>
        }
        description="Your logo beside your email, in mail programs that support it."
        actions={
          mayWrite ? (
            <>
              {record ? <VerifyBimi domain={domain} projectId={projectId} /> : null}
              <Dialog
                open={open}
                onOpenChange={setOpen}
                trigger={
                  <Button onPointerEnter={() => void loadForm()} onFocus={() => void loadForm()}>
                    {record ? "Change logo" : "Set logo"}
                  </Button>
                }
                title={record ? "Change logo" : "Set logo"}
                description="We fetch the file now and check that mail programs will accept it."
              >
                <Suspense fallback={<Skeleton className="h-44" />}>
                  <BimiForm domain={domain} projectId={projectId} done={() => setOpen(false)} />
                </Suspense>
              </Dialog>
            </>
          ) : null
        }
      />
      {record ? <Logo domain={domain} projectId={projectId} /> : null}
      {record ? (
        <dl className="grid gap-x-4 gap-y-1.5 border-b border-line px-4 py-3 sm:grid-cols-[128px_1fr]">
          <dt className="text-muted">TXT record at</dt>
          <dd className="min-w-0 [overflow-wrap:anywhere]">
            <CopyText value={record.name} name="name of the BIMI record" inline />
          </dd>
          <dt className="text-muted">Value</dt>
          <dd className="min-w-0 [overflow-wrap:anywhere]">
            <CopyText value={record.value} name="value of the BIMI record" inline />
          </dd>
          {record.likelyCause ? (
            <dd className="text-warn sm:col-span-2">
              {record.likelyCause.message} {record.likelyCause.fix}
            </dd>
          ) : null}
        </dl>
      ) : null}
      <Gates domainId={domain.id} projectId={projectId} />
    </Card>
  )
}

/** As a picture, never as markup; on both grounds, whatever the theme of the page. */
function Logo({ domain, projectId }: { domain: Domain; projectId: string }) {
  const source = `${logoAddress(projectId, domain.id)}?at=${encodeURIComponent(domain.updatedAt)}`
  return (
    <div className="grid grid-cols-2 border-b border-line">
      {["#ffffff", "#17181a"].map((background, index) => (
        <figure key={background} className="flex items-center gap-3 p-4" style={{ background }}>
          {/* Next's image would fetch and redraw what is small and ours already. */}
          {/* eslint-disable-next-line @next/next/no-img-element */}
          <img src={source} alt="" width={48} height={48} className="size-12 rounded-full" />
          <figcaption className="text-sm" style={{ color: index ? "#e8e8e6" : "#3a3a38" }}>
            {index ? "On dark" : "On light"}
          </figcaption>
        </figure>
      ))}
    </div>
  )
}

const outcomes: Record<string, { tone: Tone; word: string }> = {
  passed: { tone: "good", word: "Met" },
  failed: { tone: "warn", word: "Not met" },
  unknown: { tone: "wait", word: "Unknown" },
  optional: { tone: "wait", word: "Optional" },
}

function Gates({ domainId, projectId }: { domainId: string; projectId: string }) {
  const { data, error } = useQuery(bimiQuery(projectId, domainId))
  if (error && !data) return <p className="px-4 py-3 text-muted">{problemOf(error).detail ?? problemOf(error).title}</p>
  if (!data) return <SkeletonRows rows={2} />
  return (
    <>
      <ul aria-label="Requirements for showing the logo" className="divide-y divide-line">
        {data.gates.map(({ code, outcome, message, fix }) => (
          <li key={code} className="grid items-baseline gap-x-3 gap-y-1 px-4 py-2.5 sm:grid-cols-[5.5rem_1fr]">
            <Pill inTable tone={outcomes[outcome]?.tone ?? "wait"}>
              {outcomes[outcome]?.word ?? outcome}
            </Pill>
            <p className="min-w-0 [overflow-wrap:anywhere]">
              {message} {fix ? <span className="text-muted">{fix}</span> : null}
            </p>
          </li>
        ))}
      </ul>
      {data.warnings.map((warning) => (
        <p key={warning} className="border-t border-line px-4 py-2.5 text-warn">
          {warning}
        </p>
      ))}
    </>
  )
}

function VerifyBimi({ domain, projectId }: { domain: Domain; projectId: string }) {
  const client = useQueryClient()
  const verify = useCall("POST /v1/projects/{projectId}/domains/{domainId}/bimi/verify")
  async function check() {
    try {
      const { queryKey } = domainQuery(projectId, domain.id)
      const changed = await verify.mutateAsync({ params: { projectId, domainId: domain.id } })
      await client.cancelQueries({ queryKey })
      client.setQueryData(queryKey, changed)
      const found = changed.bimiStatus === "verified"
      toast[found ? "success" : "message"](found ? "The BIMI record is published" : "The BIMI record is not found yet")
    } catch (error) {
      const { title, detail } = problemOf(error)
      toast.error("The check could not run", { description: detail ?? title })
    }
  }
  return (
    <Button loading={verify.isPending} onClick={() => void check()}>
      Check record
    </Button>
  )
}
