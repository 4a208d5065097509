import { unscoped } from "@/lib/platform/database/db"
import { db } from "@/lib/platform/database/scoped-db"
import { shown } from "@/lib/platform/database/shape"

/** How a project presents itself to recipients. */
export type Brand = { name: string; color: string | null; hasLogo: boolean }

/** The mail behind a link, with what its pages need. */
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

/** Null once the mail is deleted. Not in a scope, because a link names nothing but its delivery. */
export async function findMail(deliveryId: string): Promise<LinkedMail | null> {
  const delivery = await unscoped().delivery.findUnique({
    where: { id: deliveryId },
    select: { projectId: true, address: true, canonical: true, email: { select: { fromHeader: true, topicId: true } } },
  })
  if (!delivery) return null
  const { projectId, address, canonical, email } = delivery
  const [project, topic] = await Promise.all([findBrand(projectId), findTopic(projectId, email.topicId)])
  return shown<LinkedMail>()({
    projectId,
    organizationId: project.organizationId,
    sender: email.fromHeader,
    recipient: address,
    email: canonical,
    topic,
    brand: project.brand,
  })
}

/** The logo of the project that a mail came from; null where there is none. */
export async function findLogo(deliveryId: string): Promise<{ bytes: Uint8Array<ArrayBuffer>; type: string } | null> {
  const delivery = await unscoped().delivery.findUnique({ where: { id: deliveryId }, select: { projectId: true } })
  if (!delivery) return null
  const project = await unscoped().project.findUnique({
    where: { id: delivery.projectId },
    select: { brandLogo: true, brandLogoType: true },
  })
  return project?.brandLogo && project.brandLogoType ? { bytes: project.brandLogo, type: project.brandLogoType } : null
}

async function findBrand(projectId: string): Promise<{ organizationId: string; brand: Brand }> {
  const { organizationId, name, brandName, brandColor, brandLogoType } = await unscoped().project.findUniqueOrThrow({
    where: { id: projectId },
    select: { organizationId: true, name: true, brandName: true, brandColor: true, brandLogoType: true },
  })
  // The type is stored with the logo, which may be large.
  return { organizationId, brand: { name: brandName ?? name, color: brandColor, hasLogo: brandLogoType !== null } }
}

async function findTopic(projectId: string, id: string | null): Promise<LinkedMail["topic"]> {
  if (id === null) return null
  return db({ project: { id: projectId } }).topic.findUnique({
    where: { id, deletedAt: null },
    select: { id: true, name: true },
  })
}
