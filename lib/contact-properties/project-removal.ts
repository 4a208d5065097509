import { removal } from "@/lib/platform/database/removal-sql"

export const propertyRemoval = [removal("contact_properties", "id")]
