import { serve } from "@/lib/api/serve"
import { createContactProperty, listContactProperties } from "@/lib/contact-properties/api"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(listContactProperties, createContactProperty)
