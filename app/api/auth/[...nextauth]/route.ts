import { handleAuth } from "@/lib/access/auth-handler"

export const GET = handleAuth
export const POST = handleAuth
