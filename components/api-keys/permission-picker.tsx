"use client"

import { useId } from "react"
import { Checkbox } from "@/components/ui/checkbox"
import { Segmented } from "@/components/ui/segmented"
import type { Permission } from "@/lib/access/permissions"
import { areaName, areas, presetOf, presets } from "@/components/api-keys/key-words"

type PermissionPickerProps = { value: readonly Permission[]; onChange: (value: Permission[]) => void; error?: string }

/** Permissions by area, with the three usual sets. */
export function PermissionPicker({ value, onChange, error }: PermissionPickerProps) {
  const id = useId()
  const preset = presetOf(value)

  function toggle(permission: Permission, on: boolean) {
    onChange(on ? [...value, permission] : value.filter((one) => one !== permission))
  }

  return (
    <fieldset className="mb-4 min-w-0" aria-describedby={error ? id : undefined}>
      <legend className="mb-1.5 text-sm font-medium">Permissions</legend>
      <Segmented
        label="Usual sets"
        className="mb-2 flex w-full"
        value={preset === "custom" ? undefined : preset}
        onChange={(wanted) => onChange([...presets[wanted]])}
        options={[
          { value: "sending", label: "Sending" },
          { value: "reading", label: "Reading" },
          { value: "everything", label: "Everything" },
        ]}
      />
      <div className="divide-y divide-line rounded-md border border-line">
        {areas.map(({ area, permissions }) => (
          <div
            key={area}
            role="group"
            aria-label={areaName(area)}
            className="flex items-center justify-between gap-4 px-3 py-1.5"
          >
            <span className="min-w-0 truncate">{areaName(area)}</span>
            <span className="flex shrink-0 gap-4">
              {permissions.map((permission) => (
                <Checkbox
                  key={permission}
                  className="min-w-16"
                  label={permission.split(":")[1]}
                  checked={value.includes(permission)}
                  onChange={(event) => toggle(permission, event.target.checked)}
                />
              ))}
            </span>
          </div>
        ))}
      </div>
      {error ? (
        <p id={id} className="mt-1.5 text-sm text-bad">
          {error}
        </p>
      ) : null}
    </fieldset>
  )
}
