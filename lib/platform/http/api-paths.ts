import { faceNames } from "@/lib/platform/env/fields"

const folders = ["/v1", ...faceNames.map((name) => `/${name}`)]

/** Whether a path is one of the API, our own or that of another service, and not of a page. */
export function isOfApi(path: string): boolean {
  return folders.some((folder) => path === folder || path.startsWith(`${folder}/`))
}
