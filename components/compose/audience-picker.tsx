"use client"

import { Select } from "@/components/ui/select"
import { audienceIn } from "@/components/compose/addresses"
import { useAudiences } from "@/components/compose/use-audience"

type AudiencePickerProps = { projectId: string; to: string; onPick: (to: string) => void }

/** Puts a topic or segment into To; absent where the project has none. */
export function AudiencePicker({ projectId, to, onPick }: AudiencePickerProps) {
  const audiences = useAudiences(projectId)
  if (!audiences.length) return null
  const chosen = audienceIn(to) ?? ""
  return (
    <Select
      aria-label="Send to a segment or topic"
      className="-mt-2 mb-4 sm:w-72"
      value={audiences.some(({ id }) => id === chosen) ? chosen : ""}
      onChange={({ target }) => onPick(target.value)}
    >
      <option value="">To addresses</option>
      {(["Segment", "Topic"] as const).map((kind) => (
        <optgroup key={kind} label={`${kind}s`}>
          {audiences
            .filter((one) => one.kind === kind)
            .map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
        </optgroup>
      ))}
    </Select>
  )
}
