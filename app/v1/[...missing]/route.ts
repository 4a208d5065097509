import { missingPath } from "@/lib/api/missing"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = missingPath
