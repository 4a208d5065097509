import { installationRows } from "@/lib/delivery/setup/installation-rules"
import type { SetupReportWire } from "@/components/operator/queries"
import { Card, CardHeader } from "@/components/ui/card"
import { KeyValues } from "@/components/ui/key-values"
import { Pill } from "@/components/ui/pill"

/** What this installation is called, how it sends, and how it is doing. */
export function InstallationCard({ installation }: { installation: SetupReportWire["installation"] }) {
  const { backedUpAt, ...facts } = installation
  const rows = installationRows({ ...facts, backedUpAt: backedUpAt ? new Date(backedUpAt) : undefined }, new Date())
  return (
    <Card aria-label="Installation">
      <CardHeader title="Installation" description="As the host that answers sees it now." />
      <KeyValues
        items={rows.map(({ name, value, attention }) => ({
          label: name,
          value: (
            <>
              {value.replaceAll("`", "")}
              {attention ? (
                <Pill tone="warn" className="ml-2">
                  Attention
                </Pill>
              ) : null}
            </>
          ),
        }))}
      />
    </Card>
  )
}
