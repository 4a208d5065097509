import { missing } from "@/lib/api/missing"

export const GET = missing
export const HEAD = missing
export const POST = missing
export const PUT = missing
export const PATCH = missing
export const DELETE = missing
export const OPTIONS = missing
