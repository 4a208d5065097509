export type Shape = "list" | "object" | "figures" | "form"

/** What a page of a project looks like, by its path, before anything of it is there. */
export function shapeOf(path: string): Shape {
  const [area = "", one, two] = path.split("/").slice(3)
  if (area === "" || area === "metrics") return "figures"
  if (area === "settings" || one === "compose" || [one, two].some((part) => part === "new" || part === "edit"))
    return "form"
  return one && one !== "imports" && one !== "audit" ? "object" : "list"
}
