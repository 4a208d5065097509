import { CopyText } from "@/components/ui/copy-text"
import { Diff, DiffRow } from "@/components/ui/diff"
import type { Retired } from "@/components/domains/types"

/** The value that was rotated out: it stays in the DNS, so that mail on its way can still be checked. */
export function RetiredValue({ retired, over, name }: { retired: Retired; over?: boolean; name: string }) {
  const day = new Date(retired.keepUntil).toLocaleDateString("en-GB", {
    day: "numeric",
    month: "long",
    timeZone: "UTC",
  })
  return (
    <Diff>
      <DiffRow label="Old value">
        <CopyText value={retired.value} name={`old value of the TXT record ${name}`} />
      </DiffRow>
      {over ? (
        <DiffRow label="Replace it" likely>
          Nothing is checked against the old key since {day}. Delete its value and publish the new one above: then the
          key can be rotated again. No mail waits for it.
        </DiffRow>
      ) : (
        <DiffRow label="Keep it" likely>
          Mail in transit is still verified with the old key. Keep its value until {day}, then replace it by the new one
          above. Nothing waits for it.
        </DiffRow>
      )}
    </Diff>
  )
}
