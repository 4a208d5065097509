import { readdirSync } from "node:fs"

/**
 * Every page of the product as an address, read from the folders of `app`, so that a new page is looked at without
 * being named here. A parameter that `ids` does not know gets a text that names nothing.
 */
export function allPages(ids: Record<string, string>): { template: string; path: string }[] {
  const files = readdirSync("app", { recursive: true }).map((name) => String(name).replaceAll("\\", "/"))
  return (
    files
      .filter((file) => /(^|\/)page\.tsx$/.test(file))
      // What catches all other addresses is no page.
      .filter((file) => !file.includes("[..."))
      .map((file) => `/${file.replace(/(^|\/)page\.tsx$/, "")}`.replace(/\/\([^/]+\)/g, "") || "/")
      .sort()
      .map((template) => ({
        template,
        path: template.replace(/\[+(?:\.\.\.)?(\w+)\]+/g, (_, name: string) => ids[name] ?? "nothing"),
      }))
  )
}
