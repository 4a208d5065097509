import { expect, test } from "vitest"
import { S3Url } from "@/lib/platform/env/fields"

test("a bucket is one URL", () => {
  expect(S3Url.parse("s3://AKIA:a%2Fb%2Bc@s3.eu-west-1.amazonaws.com/mail?region=eu-west-1")).toEqual({
    endpoint: "https://s3.eu-west-1.amazonaws.com",
    region: "eu-west-1",
    bucket: "mail",
    accessKeyId: "AKIA",
    secretAccessKey: "a/b+c",
  })
  expect(S3Url.parse("s3://k:s@127.0.0.1:9000/b?region=local&tls=none").endpoint).toBe("http://127.0.0.1:9000")
})

test.each([
  ["https://k:s@host/b?region=r", "must be an s3:// URL."],
  ["s3://host/b?region=r", "must hold the key and its secret: s3://KEY:SECRET@host/bucket."],
  ["s3://k:s@host/?region=r", "must name one bucket after the host."],
  ["s3://k:s@host/a/b?region=r", "must name one bucket after the host."],
  ["s3://k:s@host/b", "must name the region: ?region=eu-west-1."],
  ["s3://k:s@host/b?region=r&tls=maybe", "tls must be required or none."],
  ["s3://k:s@host/b?region=r&acl=public", "does not know acl; it knows region, tls."],
])("%s is refused in plain words", (url, sentence) => {
  expect(S3Url.safeParse(url).error?.issues.map((issue) => issue.message)).toContain(sentence)
})
