import type { z } from "zod"
import { readLogo } from "@/lib/projects/brand-rules"
import type { ProjectBranding } from "@/lib/projects/schema"

type Branding = z.output<typeof ProjectBranding>

export type BrandRow = {
  brandName?: string | null
  brandColor?: string | null
  brandLogo?: Uint8Array | null
  brandLogoType?: string | null
}

/** The columns that a change sets: omitted fields stay, null clears. */
export function brandColumns({ name, color, logo }: Branding = {}) {
  const picture = typeof logo === "string" ? readLogo(logo) : null
  return {
    ...(name !== undefined && { brandName: name }),
    ...(color !== undefined && { brandColor: color && color.toLowerCase() }),
    ...(logo !== undefined && { brandLogo: picture && picture.bytes, brandLogoType: picture && picture.type }),
  }
}

/** How a project shows itself to recipients; left out where nothing was chosen or read. */
export function brandingOf(row: BrandRow): Branding | undefined {
  const logo = row.brandLogo && `data:${row.brandLogoType};base64,${Buffer.from(row.brandLogo).toString("base64")}`
  if (!row.brandName && !row.brandColor && !logo) return undefined
  return { name: row.brandName ?? undefined, color: row.brandColor ?? undefined, logo: logo ?? undefined }
}
