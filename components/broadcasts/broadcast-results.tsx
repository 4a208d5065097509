import { formatNumber } from "@/lib/platform/format"
import type { Broadcast } from "@/components/broadcasts/queries"
import { reachedOf, reachedWord } from "@/components/metrics/rates"
import { Card, CardHeader } from "@/components/ui/card"
import { Stat, Stats } from "@/components/ui/stat"

/** What became of its emails; a share only where there is something to share. */
export function BroadcastResults({ counts }: { counts: Broadcast["counts"] }) {
  const { sent, delivered, deliveryReported, deliveryNotReported = 0 } = counts
  const reached = { of: reachedOf(counts), what: reachedWord(counts) }
  if (sent === 0) return null
  return (
    <Card aria-label="Results">
      <CardHeader title="Results" description="As in the metrics, excluding simulator addresses" />
      <Stats>
        {deliveryReported === false ? (
          <Stat
            label="Delivered"
            value={formatNumber(delivered)}
            hint={`not reported of ${formatNumber(deliveryNotReported)}`}
          />
        ) : (
          <Share label="Delivered" count={delivered} of={sent} what="sent" />
        )}
        <Share label="Opened" count={counts.opened} {...reached} />
        <Share label="Clicked" count={counts.clicked} {...reached} />
        <Share label="Unsubscribed" count={counts.unsubscribed} {...reached} />
        <Share label="Bounced" count={counts.bounced} of={sent} what="sent" />
        <Share label="Complained" count={counts.complained} {...reached} />
        <Share label="Failed" count={counts.failed} of={counts.accepted} what="accepted" />
        <Stat label="Sent" value={formatNumber(sent)} />
      </Stats>
    </Card>
  )
}

function Share({ label, count, of, what }: { label: string; count: number; of: number; what: string }) {
  const share = of > 0 ? `${((100 * count) / of).toFixed(1)}% of ${what}` : undefined
  return <Stat label={label} value={formatNumber(count)} hint={share} />
}
