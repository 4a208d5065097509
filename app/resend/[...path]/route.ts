import { resend } from "@/lib/faces/resend/api"
import { serveFace } from "@/lib/faces/face"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serveFace(resend)
