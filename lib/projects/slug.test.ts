import { expect, test } from "vitest"
import { slugOf } from "@/lib/projects/rules"

test.each([
  ["Laden Müller", "laden-muller"],
  ["Café  Zoë", "cafe-zoe"],
  ["Łódź 24", "odz-24"],
  ["???", "project"],
])("the slug of %s is %s", (name, slug) => {
  expect(slugOf(name)).toBe(slug)
})
