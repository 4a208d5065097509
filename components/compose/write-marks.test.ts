import { expect, test } from "vitest"
import { markEdit, type WriteMark } from "@/components/compose/write-marks"

/** The text with its selection in ‹›, before and after. */
function marked(shown: string, mark: WriteMark): string {
  const [from, to] = [shown.indexOf("‹"), shown.indexOf("›") - 1]
  const written = shown.replace("‹", "").replace("›", "")
  const edit = markEdit(written, from, to, mark)
  const after = written.slice(0, edit.from) + edit.text + written.slice(edit.to)
  const [start, end] = edit.select
  return `${after.slice(0, start)}‹${after.slice(start, end)}›${after.slice(end)}`
}

test.each<[WriteMark, string, string]>([
  ["bold", "a ‹word› b", "a **‹word›** b"],
  ["bold", "a **‹word›** b", "a ‹word› b"],
  ["italic", "‹›", "*‹words›*"],
  ["heading", "one\ntw‹›o", "one\n# two‹›"],
  ["heading", "# two‹›", "two‹›"],
  ["list", "a‹\nb\n›c", "- a\n- b\n- c‹›"],
  ["list", "- a‹›\nb", "a‹›\nb"],
  ["link", "see ‹this›.", "see [this](‹https://›)."],
  ["button", "Hi,\n\n‹›", "Hi,\n\n[[Open it]](‹https://›)"],
  ["button", "see ‹it›.", "see \n\n[[it]](‹https://›)\n\n."],
  ["image", "a‹›\nb", "a\n\n![What it shows](‹https://›)\nb"],
])("%s of %j is %j", (mark, before, after) => {
  expect(marked(before, mark)).toBe(after)
})
