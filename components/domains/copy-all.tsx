"use client"

import { useQuery } from "@tanstack/react-query"
import { ChevronDown } from "lucide-react"
import { Button } from "@/components/ui/button"
import { Menu, MenuItem } from "@/components/ui/menu"
import { toast } from "@/components/ui/toast"
import { writeClipboard } from "@/components/ui/write-clipboard"
import { recordsAsText } from "./records"
import { zoneFileAddress } from "./queries"
import type { Domain } from "./types"
import { useHostStyle } from "./use-host-style"

type CopyAllProps = { domain: Domain; projectId: string }

export function CopyAll(props: CopyAllProps) {
  return (
    <Menu
      trigger={
        <Button>
          Copy all
          <ChevronDown aria-hidden="true" />
        </Button>
      }
    >
      <Choices {...props} />
    </Menu>
  )
}

/** Mounted with the open menu: the zone file is there before it is chosen, as browsers let only a press copy. */
function Choices({ domain, projectId }: CopyAllProps) {
  const [style] = useHostStyle()
  const address = zoneFileAddress(projectId, domain.id)
  const zone = useQuery({ queryKey: [address, domain.updatedAt], queryFn: () => textOf(address), staleTime: 60_000 })
  return (
    <>
      <MenuItem onSelect={() => void copy(recordsAsText(domain, style), "Copied all records as text")}>
        As text <span className="block text-sm text-muted">Type, host and value, one below the other</span>
      </MenuItem>
      <MenuItem disabled={!zone.data} onSelect={() => void copy(zone.data ?? "", "Copied all records as a zone file")}>
        As BIND zone file <span className="block text-sm text-muted">For providers that import one</span>
      </MenuItem>
    </>
  )
}

async function copy(text: string, done: string) {
  if (await writeClipboard(text)) toast.success(done)
  else toast.error("Your browser did not let the page copy")
}

async function textOf(address: string): Promise<string> {
  const response = await fetch(address, { credentials: "same-origin" })
  if (!response.ok) throw new Error("The zone file could not be read.")
  return response.text()
}
