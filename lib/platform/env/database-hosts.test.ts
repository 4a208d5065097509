import { expect, test } from "vitest"
import { faultOfDatabaseUrl, urlsOfHosts } from "@/lib/platform/env/fields"

test("a URL of several hosts is one URL each, without the parameter that says which of them is meant", () => {
  expect(urlsOfHosts("postgresql://u:p%40@a:5432,b,[::1]:7/m?target_session_attrs=read-write&sslmode=require")).toEqual(
    [
      "postgresql://u:p%40@a:5432/m?sslmode=require",
      "postgresql://u:p%40@b/m?sslmode=require",
      "postgresql://u:p%40@[::1]:7/m?sslmode=require",
    ],
  )
  expect(urlsOfHosts("postgresql://a/m")).toEqual(["postgresql://a/m"])
})

test.each([
  ["mysql://a/m", /must be a postgresql/],
  ["postgresql://a:1,b:x/m", /separated by commas/],
  ["postgresql://a,b/m?target_session_attrs=standby", /takes writes/],
])("%s is refused", (url, why) => {
  expect(faultOfDatabaseUrl(url)).toMatch(why)
})
