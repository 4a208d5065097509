import { ButtonLink } from "@/components/ui/button"
import { Card, CardHeader } from "@/components/ui/card"
import { dynamic } from "@/components/ui/dynamic"
import { Pill } from "@/components/ui/pill"
import type { Alert } from "@/components/overview/alerts"

const MissingRecords = dynamic(() =>
  import("@/components/overview/missing-records").then((module) => module.MissingRecords),
)

type AlertsCardProps = { projectId: string; alerts: Alert[] }

/** Problems that need attention, each with its meaning and a link to the fix, the first domain with what to publish; hidden if there are none. */
export function AlertsCard({ projectId, alerts }: AlertsCardProps) {
  if (alerts.length === 0) return null
  const expanded = alerts.find(({ domainId }) => domainId)?.id
  return (
    <Card aria-labelledby="overview-alerts">
      <CardHeader
        id="overview-alerts"
        title="Needs attention"
        actions={alerts.length > 1 ? <span className="tabular-nums">{alerts.length}</span> : null}
      />
      <ul className="divide-y divide-line">
        {alerts.map(({ id, tone, title, detail, action, domainId }) => (
          <li key={id} className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2 px-4 py-3 sm:flex-nowrap">
            <div className="min-w-0 grow [overflow-wrap:anywhere]">
              <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
                <b>{title}</b>
                <Pill tone={tone}>{tone === "bad" ? "Critical" : "Warning"}</Pill>
              </p>
              <p className="text-muted">{detail}</p>
              {domainId && id === expanded ? <MissingRecords projectId={projectId} domainId={domainId} /> : null}
            </div>
            <ButtonLink href={action.href}>{action.label}</ButtonLink>
          </li>
        ))}
      </ul>
    </Card>
  )
}
