import { serve } from "@/lib/api/serve"
import { listContactPropertyValues } from "@/lib/contact-properties/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(listContactPropertyValues)
