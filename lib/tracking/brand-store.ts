import { pool } from "@/lib/platform/database/db"

/** How a project shows itself to recipients. */
export type Brand = { name: string; color: string | null; hasLogo: boolean }

/** The mail behind a link, with what its pages need; null once it is gone. */
export type LinkedMail = {
  projectId: string
  organizationId: string
  /** As in the From field. */
  sender: string
  recipient: string
  /** Canonical form of the recipient. */
  email: string
  /** The topic of the mail, unless it was deleted. */
  topic: { id: string; name: string } | null
  brand: Brand
}

export async function findMail(deliveryId: string): Promise<LinkedMail | null> {
  type Row = {
    project_id: string
    organization_id: string
    sender: string
    recipient: string
    email: string
    topic_id: string | null
    topic_name: string | null
    brand_name: string | null
    brand_color: string | null
    has_logo: boolean
    project_name: string
  }
  const { rows } = await pool().query<Row>(
    `SELECT d.project_id, p.organization_id, e.from_header AS sender, d.address AS recipient, d.canonical AS email,
        t.id AS topic_id, t.name AS topic_name, p.brand_name, p.brand_color, p.brand_logo IS NOT NULL AS has_logo, p.name AS project_name
      FROM deliveries d JOIN emails e ON e.project_id = d.project_id AND e.id = d.email_id
        JOIN projects p ON p.id = d.project_id
        LEFT JOIN topics t ON t.project_id = e.project_id AND t.id = e.topic_id AND t.deleted_at IS NULL
      WHERE d.id = $1`,
    [deliveryId],
  )
  const [row] = rows
  return row
    ? {
        projectId: row.project_id,
        organizationId: row.organization_id,
        sender: row.sender,
        recipient: row.recipient,
        email: row.email,
        topic: row.topic_id && row.topic_name ? { id: row.topic_id, name: row.topic_name } : null,
        brand: { name: row.brand_name ?? row.project_name, color: row.brand_color, hasLogo: row.has_logo },
      }
    : null
}

/** The logo of the project that a mail came from; null where there is none. */
export async function findLogo(deliveryId: string): Promise<{ bytes: Uint8Array<ArrayBuffer>; type: string } | null> {
  const { rows } = await pool().query<{ brand_logo: Uint8Array<ArrayBuffer> | null; brand_logo_type: string | null }>(
    "SELECT p.brand_logo, p.brand_logo_type FROM deliveries d JOIN projects p ON p.id = d.project_id WHERE d.id = $1",
    [deliveryId],
  )
  const [row] = rows
  return row?.brand_logo && row.brand_logo_type ? { bytes: row.brand_logo, type: row.brand_logo_type } : null
}
