import { expect, it } from "vitest"
import { isActive, isPlainKey, opensPalette, placesOf } from "@/components/layout/keys"
import { icons, navigation } from "@/components/layout/navigation"
import { kindIcons } from "@/components/layout/palette/found"
import { shortcutGroups } from "@/components/layout/shortcut-help"

const root = "/projects/p"
const groups = [
  {
    items: [
      { href: root, label: "Overview", exact: true },
      { href: `${root}/emails`, label: "Emails" },
    ],
  },
  {
    label: "Sending",
    items: [
      { href: `${root}/api-keys`, label: "API keys" },
      { href: `${root}/quite-new`, label: "Quite new" },
    ],
  },
]
const key = (key: string, held: Partial<Record<"metaKey" | "ctrlKey" | "altKey", boolean>> = {}) => ({
  key,
  metaKey: false,
  ctrlKey: false,
  altKey: false,
  ...held,
})

it("every page of the navigation is a place, and no two share a key", () => {
  const places = placesOf(groups, [{ href: `${root}/settings`, label: "Settings" }])
  expect(places.map(({ label, key }) => [label, key])).toEqual([
    ["Overview", "o"],
    ["Emails", "e"],
    ["API keys", "k"],
    ["Quite new", undefined],
    ["Settings", "s"],
  ])
})

it("a place has the icon that its page has in the side bar", () => {
  const { groups: pages, bottom } = navigation("proj_1", { sandbox: true })
  const places = placesOf(pages, bottom)
  expect(places.find(({ label }) => label === "Segments")?.icon).toBe(icons.listFilter)
  expect(places.every(({ icon }) => icon !== undefined)).toBe(true)
})

it("each kind of result has the icon of its list", () => {
  const places = placesOf(navigation("proj_1", { sandbox: true }).groups)
  for (const [kind, icon] of Object.entries(kindIcons))
    expect(places.find(({ label }) => label === (kind === "Request" ? "Logs" : `${kind}s`))?.icon, kind).toBe(icon)
})

it("the help lists each place that has a key, and the keys of lists", () => {
  const [everywhere, lists, emails, goTo] = shortcutGroups(placesOf(groups), "Ctrl")
  expect(everywhere?.shortcuts[0]?.keys).toEqual(["Ctrl", "K"])
  expect(lists?.shortcuts.map(({ keys }) => keys.join(" "))).toEqual(["j", "k", "Enter"])
  expect(emails?.shortcuts.map(({ keys }) => keys.join(" "))).toEqual(["/", "Space", "x"])
  expect(goTo?.shortcuts.map(({ keys }) => keys.join(" "))).toEqual(["g o", "g e", "g k"])
})

it("the palette opens with one of Ctrl and ⌘, and letters with any of them are left to the browser", () => {
  expect([key("k", { ctrlKey: true }), key("K", { metaKey: true })].every(opensPalette)).toBe(true)
  expect(
    [
      key("k"),
      key("k", { ctrlKey: true, metaKey: true }),
      key("k", { ctrlKey: true, altKey: true }),
      key("j", { ctrlKey: true }),
    ].some(opensPalette),
  ).toBe(false)
  expect(isPlainKey(key("j"))).toBe(true)
  expect(isPlainKey(key("j", { ctrlKey: true }))).toBe(false)
})

const domains = { href: "/projects/p/domains" }

it("marks the item of the page that is open and of the pages below it", () => {
  expect(isActive(domains, "/projects/p/domains")).toBe(true)
  expect(isActive(domains, "/projects/p/domains/dom_1")).toBe(true)
})

it("does not mark an item whose address merely begins alike", () => {
  expect(isActive(domains, "/projects/p/domains-old")).toBe(false)
})

it("does not mark an exact item for the pages below it", () => {
  expect(isActive({ href: "/projects/p", exact: true }, "/projects/p/domains")).toBe(false)
})
