import { serve } from "@/lib/api/serve"
import { createContactProperty } from "@/lib/contact-properties/create-contact-property"
import { listContactProperties } from "@/lib/contact-properties/list-contact-properties"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serve(listContactProperties, createContactProperty)
