"use client"

import { useOpenedAt } from "@/components/ui/relative-time"
import { useQuery } from "@tanstack/react-query"
import { ChevronDown } from "lucide-react"
import { Button } from "@/components/ui/button"
import { Menu, MenuItem, MenuLink, MenuSeparator } from "@/components/ui/menu"
import { toast } from "@/components/ui/toast"
import { writeClipboard } from "@/components/ui/copy-button"
import { cannotSendYet, waitsForInstallation } from "@/lib/domains/rules"
import { recordsAsText, useHostStyle } from "@/components/domains/records"
import { type Domain, zoneFileAddress } from "@/components/domains/queries"

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

/** Mounted with the open menu: the zone file is there before it is chosen, as browsers let only a press copy. The other formats come with the menu. */
function Choices({ domain, projectId }: CopyAllProps) {
  const [style] = useHostStyle()
  const now = useOpenedAt()
  const address = zoneFileAddress(projectId, domain.id)
  const zone = useQuery({ queryKey: [address, domain.updatedAt], queryFn: () => textOf(address), staleTime: 60_000 })
  const formats = useQuery({ queryKey: ["record formats"], queryFn: loadFormats, staleTime: Infinity }).data
  const batch = formats?.cloudflareJson(domain, now)
  return (
    <>
      <MenuItem onSelect={() => void copy(recordsAsText(domain, style), "Copied all records as text")}>
        As text <What>For a colleague or a ticket</What>
      </MenuItem>
      <MenuItem disabled={!zone.data} onSelect={() => void copy(zone.data ?? "", "Copied all records as a zone file")}>
        As BIND zone file <What>For providers that can import one</What>
      </MenuItem>
      <MenuLink href={address} download>
        Download the zone file
      </MenuLink>
      <MenuSeparator />
      <MenuItem
        disabled={!batch?.created}
        onSelect={() => void (batch && copy(batch.text, "Copied for Cloudflare's API", note(domain, batch.left)))}
      >
        As Cloudflare API JSON{" "}
        <What>{batch?.created === 0 ? "Every record already exists" : "Body of a batch of DNS records"}</What>
      </MenuItem>
      <MenuItem
        disabled={!formats}
        onSelect={() =>
          void copy(formats?.terraform(domain, "cloudflare", now) ?? "", "Copied as Terraform for Cloudflare")
        }
      >
        As Terraform for Cloudflare
      </MenuItem>
      <MenuItem
        disabled={!formats}
        onSelect={() => void copy(formats?.terraform(domain, "route53", now) ?? "", "Copied as Terraform for Route 53")}
      >
        As Terraform for Route 53
      </MenuItem>
    </>
  )
}

async function loadFormats() {
  const { cloudflareJson, terraform } = await import("@/components/domains/exports")
  return { cloudflareJson, terraform }
}

function What({ children }: { children: string }) {
  return <span className="block text-sm text-muted">{children}</span>
}

/** JSON has no comments: what the other forms say in one is said here. */
function note(domain: Domain, left: number): string | undefined {
  return waitsForInstallation(domain) ? cannotSendYet : leftOut(left)
}

function leftOut(count: number): string | undefined {
  if (count === 0) return undefined
  return count === 1
    ? "One record was omitted: a record already exists at its name."
    : `${count} records were omitted: records already exist at their names.`
}

async function copy(text: string, done: string, description?: string) {
  if (await writeClipboard(text)) toast.success(done, { description })
  else toast.error("Your browser blocked copying")
}

async function textOf(address: string): Promise<string> {
  const response = await fetch(address, { credentials: "same-origin" })
  if (!response.ok) throw new Error("The zone file could not be read.")
  return response.text()
}
