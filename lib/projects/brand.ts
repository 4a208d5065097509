import type { z } from "zod"
import { readLogo } from "@/lib/projects/brand-rules"
import type { ProjectBranding } from "@/lib/projects/schema"

type Branding = z.output<typeof ProjectBranding>

export type BrandRow = {
  brand_name?: string | null
  brand_color?: string | null
  brand_logo?: Uint8Array | null
  brand_logo_type?: string | null
}

/** The columns that a change sets: omitted fields stay, null clears. */
export function brandColumns({ name, color, logo }: Branding = {}) {
  const picture = typeof logo === "string" ? readLogo(logo) : null
  return {
    ...(name !== undefined && { brand_name: name }),
    ...(color !== undefined && { brand_color: color && color.toLowerCase() }),
    ...(logo !== undefined && { brand_logo: picture && picture.bytes, brand_logo_type: picture && picture.type }),
  }
}

/** How a project shows itself to recipients; left out where nothing was chosen or read. */
export function brandingOf(row: BrandRow): Branding | undefined {
  const logo = row.brand_logo && `data:${row.brand_logo_type};base64,${Buffer.from(row.brand_logo).toString("base64")}`
  if (!row.brand_name && !row.brand_color && !logo) return undefined
  return { name: row.brand_name ?? undefined, color: row.brand_color ?? undefined, logo: logo ?? undefined }
}
