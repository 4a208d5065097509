export type Shape = "list" | "object" | "figures" | "form"

/** The placeholder of a project's page, by its path, before the page has loaded. */
export function shapeOf(path: string): Shape {
  const [area = "", one, two] = path.split("/").slice(3)
  if (area === "" || area === "metrics") return "figures"
  if (area === "settings" || one === "compose" || [one, two].some((part) => part === "new" || part === "edit"))
    return "form"
  return one && one !== "imports" && one !== "audit" ? "object" : "list"
}
