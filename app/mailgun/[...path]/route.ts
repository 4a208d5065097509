import { mailgun } from "@/lib/faces/mailgun/api"
import { serveFace } from "@/lib/faces/face"

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = serveFace(mailgun)
